-- PostGIS, in the schema where every tool looks for it. (Named, because a role called muster would get it into the
-- schema muster.) A managed database that has it already is left as it is.
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;
