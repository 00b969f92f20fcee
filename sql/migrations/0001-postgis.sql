-- PostGIS, in the schema where every tool looks for it. A managed database that has it already is left as it is.
CREATE EXTENSION IF NOT EXISTS postgis;
