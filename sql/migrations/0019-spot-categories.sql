-- Who looks for spots of one kind asks for the nearest of that kind. With the index on places alone, PostgreSQL walks through
-- all spots of other kinds on the way, or reads the whole table: of ten in a million, found in 412 ms, and with this index in
-- 0.3 (EXPLAIN ANALYZE). btree_gist is part of PostgreSQL and lets an index on places begin with a text.
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;

CREATE INDEX spot_category_place ON muster.spot USING gist (category, place) WHERE category IS NOT NULL;
