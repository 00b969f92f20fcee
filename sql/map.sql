-- Vector tiles of an OpenStreetMap extract, in the scratch database of `muster import map`.
--
-- The import copies the output of `osmium export` into `source`, calls `make_features` once, and then `make_tiles` for
-- each block of tiles. The layers and their attributes follow the Shortbread schema 1.0; `public/docs/protocol.md` lists
-- them. Lengths and areas are in the units of EPSG:3857.

CREATE EXTENSION postgis;

-- Features with all their tags.
CREATE UNLOGGED TABLE source (
    geom geometry(Geometry, 4326),
    tags jsonb
);

-- What the tiles contain. `area` is that of the whole shape; null for points and lines.
CREATE UNLOGGED TABLE feature (
    layer text NOT NULL,
    attributes jsonb NOT NULL,
    zoom int NOT NULL,
    area double precision,
    geom geometry(Geometry, 3857) NOT NULL
);

-- A row of a tile: ST_AsMVT writes the keys of `attributes` as attributes of the feature.
CREATE TYPE tile_feature AS (attributes jsonb, geom geometry);

-- Streets and railways: the first zoom of the line and of its name.
CREATE TABLE street_kind (kind text PRIMARY KEY, is_rail boolean, zoom int, label_zoom int);
INSERT INTO street_kind VALUES
    ('motorway', false, 5, 12), ('trunk', false, 6, 12), ('primary', false, 8, 13), ('secondary', false, 10, 13),
    ('tertiary', false, 11, 14), ('unclassified', false, 12, 15), ('residential', false, 12, 15), ('road', false, 12, 15),
    ('living_street', false, 13, 15), ('pedestrian', false, 13, 15), ('busway', false, 13, 15),
    ('service', false, 14, 15), ('track', false, 14, 15), ('path', false, 14, 15), ('bridleway', false, 14, 15),
    ('cycleway', false, 14, 15), ('footway', false, 15, 15), ('steps', false, 15, 15),
    ('rail', true, 9, null), ('light_rail', true, 9, null), ('narrow_gauge', true, 9, null), ('subway', true, 9, null),
    ('monorail', true, 14, null), ('funicular', true, 14, null), ('tram', true, 14, null);

CREATE TABLE place_kind (kind text PRIMARY KEY, zoom int);
INSERT INTO place_kind VALUES
    ('city', 5), ('town', 8), ('village', 10), ('island', 10), ('suburb', 11), ('quarter', 12), ('hamlet', 12),
    ('neighbourhood', 13);

-- Kinds of ground by tag; the first match of a shape counts.
CREATE TABLE ground_kind (priority serial, key text, value text, layer text, kind text, zoom int);
INSERT INTO ground_kind (key, value, layer, kind, zoom) VALUES
    ('landuse', 'forest', 'land', 'forest', 7), ('natural', 'wood', 'land', 'forest', 7),
    ('natural', 'scrub', 'land', 'forest', 11),
    ('leisure', 'park', 'land', 'park', 11), ('leisure', 'garden', 'land', 'park', 11),
    ('leisure', 'golf_course', 'land', 'park', 11), ('landuse', 'recreation_ground', 'land', 'park', 11),
    ('landuse', 'village_green', 'land', 'park', 11), ('landuse', 'allotments', 'land', 'park', 11),
    ('landuse', 'grass', 'land', 'grass', 11), ('landuse', 'meadow', 'land', 'grass', 11),
    ('natural', 'grassland', 'land', 'grass', 11), ('natural', 'heath', 'land', 'grass', 11),
    ('landuse', 'cemetery', 'land', 'cemetery', 11), ('amenity', 'grave_yard', 'land', 'cemetery', 11),
    ('leisure', 'pitch', 'land', 'pitch', 14), ('leisure', 'playground', 'land', 'pitch', 14),
    ('landuse', 'residential', 'land', 'residential', 7),
    ('landuse', 'industrial', 'land', 'industrial', 7), ('landuse', 'railway', 'land', 'industrial', 11),
    ('landuse', 'commercial', 'land', 'commercial', 11), ('landuse', 'retail', 'land', 'commercial', 11),
    ('landuse', 'farmland', 'land', 'farmland', 7), ('landuse', 'vineyard', 'land', 'farmland', 11),
    ('landuse', 'orchard', 'land', 'farmland', 11),
    ('natural', 'beach', 'land', 'beach', 11), ('natural', 'sand', 'land', 'beach', 11),
    ('natural', 'glacier', 'land', 'glacier', 7), ('natural', 'wetland', 'land', 'wetland', 11),
    ('natural', 'bare_rock', 'land', 'rock', 11),
    ('amenity', 'school', 'sites', 'campus', 12), ('amenity', 'college', 'sites', 'campus', 12),
    ('amenity', 'university', 'sites', 'campus', 12), ('amenity', 'hospital', 'sites', 'campus', 12);

-- Points of interest: the tag and the first zoom.
CREATE TABLE poi_kind (key text, value text, zoom int, PRIMARY KEY (key, value));
INSERT INTO poi_kind VALUES
    ('tourism', 'museum', 14), ('tourism', 'attraction', 14), ('tourism', 'zoo', 14), ('tourism', 'hotel', 15),
    ('tourism', 'viewpoint', 15), ('tourism', 'gallery', 15), ('leisure', 'park', 14), ('leisure', 'stadium', 14),
    ('leisure', 'garden', 15), ('leisure', 'playground', 15), ('leisure', 'sports_centre', 15),
    ('amenity', 'hospital', 14), ('amenity', 'university', 14), ('amenity', 'cafe', 15), ('amenity', 'restaurant', 15),
    ('amenity', 'bar', 15), ('amenity', 'pub', 15), ('amenity', 'fast_food', 15), ('amenity', 'ice_cream', 15),
    ('amenity', 'nightclub', 15), ('amenity', 'cinema', 15), ('amenity', 'theatre', 15), ('amenity', 'library', 15),
    ('amenity', 'pharmacy', 15), ('amenity', 'place_of_worship', 15), ('amenity', 'school', 15),
    ('amenity', 'townhall', 15), ('amenity', 'marketplace', 15), ('amenity', 'post_office', 15),
    ('shop', 'mall', 15), ('shop', 'department_store', 15), ('shop', 'supermarket', 15);

-- The sea inside a box.
--
-- OpenStreetMap has the sea on the right of its coastlines. The coast is cut by the box, and open ends are tied to the
-- box the nearest way. Of the faces between them, those are sea that contain more points just right of the coast than
-- points just left of it: up to 20 of each line, 0.3 m beside it.
CREATE FUNCTION sea_faces(coast geometry[], box geometry) RETURNS SETOF geometry LANGUAGE sql AS $$
    WITH line AS MATERIALIZED (
        SELECT (ST_Dump(ST_LineMerge(ST_CollectionExtract(ST_Intersection(ST_LineMerge(ST_Collect(coast)), box), 2)))).geom
    ), tie AS (
        SELECT ST_MakeLine(tip, ST_ClosestPoint(ST_Boundary(box), tip)) AS geom
        FROM line CROSS JOIN LATERAL (VALUES (ST_StartPoint(geom)), (ST_EndPoint(geom))) ends (tip)
        WHERE NOT ST_IsClosed(geom) AND ST_Distance(tip, ST_Boundary(box)) > 0.01
    ), face AS MATERIALIZED (
        SELECT (ST_Dump(ST_Polygonize(net))).geom
        FROM (SELECT ST_Union(geom) AS net
              FROM (SELECT geom FROM line UNION ALL SELECT geom FROM tie UNION ALL SELECT ST_Boundary(box)) whole) joined
    ), segment AS (
        SELECT ST_PointN(geom, place) AS a, ST_PointN(geom, place + 1) AS b
        FROM line CROSS JOIN LATERAL
            generate_series(1, ST_NPoints(geom) - 1, greatest(1, ST_NPoints(geom) / 20)) AS place
    ), sample AS MATERIALIZED (
        SELECT side, ST_SetSRID(ST_Point(
            (ST_X(a) + ST_X(b)) / 2 + side * 0.3 * (ST_Y(b) - ST_Y(a)) / ST_Distance(a, b),
            (ST_Y(a) + ST_Y(b)) / 2 - side * 0.3 * (ST_X(b) - ST_X(a)) / ST_Distance(a, b)), 3857) AS point
        FROM segment CROSS JOIN (VALUES (1), (-1)) sides (side)
        WHERE ST_Distance(a, b) > 0
    )
    SELECT geom FROM face WHERE (SELECT sum(side) FROM sample WHERE ST_Contains(face.geom, point)) > 0
$$;

-- Fills `feature` from `source`, cut by a box in degrees; by the extent of the data when the box is null.
CREATE FUNCTION make_features(west float8, south float8, east float8, north float8)
RETURNS TABLE (box_west float8, box_south float8, box_east float8, box_north float8) LANGUAGE plpgsql AS $$
DECLARE
    degrees geometry := ST_MakeEnvelope(west, south, east, north, 4326);
    box geometry;
BEGIN
    IF degrees IS NULL THEN
        SELECT ST_SetSRID(ST_Extent(geom)::geometry, 4326) INTO degrees FROM source;
    END IF;
    -- The Mercator map has no poles.
    degrees := ST_Intersection(degrees, ST_MakeEnvelope(-180, -85.05, 180, 85.05, 4326));
    box := ST_Envelope(ST_Transform(degrees, 3857));
    DELETE FROM source WHERE NOT source.geom && degrees;

    CREATE TEMPORARY TABLE shape ON COMMIT DROP AS
        SELECT ST_Transform(ST_Intersection(source.geom, ST_MakeEnvelope(-180, -85.05, 180, 85.05, 4326)), 3857) AS geom,
            ST_Dimension(source.geom) AS dimension, source.tags
        FROM source;

    -- Streets and railways, without sidewalks, crossings, parking aisles and lines inside buildings.
    INSERT INTO feature
    SELECT 'streets',
        jsonb_strip_nulls(jsonb_build_object('kind', street.kind, 'rail', nullif(street.is_rail, false),
            'link', nullif(tags->>'highway' LIKE '%\_link', false),
            'tunnel', nullif(coalesce(tags->>'tunnel', 'no') <> 'no', false),
            'bridge', nullif(coalesce(tags->>'bridge', 'no') <> 'no', false),
            'service', nullif(tags ? 'service', false))),
        CASE WHEN street.is_rail AND tags ? 'service' THEN 14 WHEN street.kind = 'service' AND tags ? 'service' THEN 15
            ELSE street.zoom END,
        null, shape.geom
    FROM shape JOIN street_kind street
        ON street.kind = coalesce(regexp_replace(tags->>'highway', '_link$', ''), tags->>'railway')
    WHERE dimension = 1 AND street.is_rail = NOT tags ? 'highway'
        AND coalesce(tags->>'footway', '') NOT IN ('sidewalk', 'crossing')
        AND coalesce(tags->>'service', '') <> 'parking_aisle' AND coalesce(tags->>'indoor', 'no') = 'no'
        AND NOT (street.kind = 'subway' AND coalesce(tags->>'tunnel', 'no') <> 'no');

    INSERT INTO feature
    SELECT 'street_labels', jsonb_build_object('kind', street.kind, 'name', tags->>'name'), street.label_zoom, null,
        shape.geom
    FROM shape JOIN street_kind street ON street.kind = tags->>'highway'
    WHERE dimension = 1 AND tags ? 'name' AND NOT tags ? 'service' AND coalesce(tags->>'indoor', 'no') = 'no'
        AND coalesce(tags->>'footway', '') NOT IN ('sidewalk', 'crossing');

    INSERT INTO feature
    SELECT 'street_polygons', jsonb_build_object('kind', tags->>'highway'), 14, ST_Area(shape.geom), shape.geom
    FROM shape WHERE dimension = 2 AND tags->>'highway' IN ('pedestrian', 'footway', 'service');
    INSERT INTO feature
    SELECT 'pier_polygons', '{"kind": "pier"}', 14, ST_Area(shape.geom), shape.geom
    FROM shape WHERE dimension = 2 AND tags->>'man_made' = 'pier';
    INSERT INTO feature
    SELECT 'buildings', '{"kind": "building"}', 15, ST_Area(shape.geom), shape.geom
    FROM shape WHERE dimension = 2 AND coalesce(tags->>'building', 'no') <> 'no';

    INSERT INTO feature
    SELECT DISTINCT ON (shape.ctid) ground.layer, jsonb_build_object('kind', ground.kind), ground.zoom,
        ST_Area(shape.geom), shape.geom
    FROM shape JOIN ground_kind ground ON tags->>ground.key = ground.value
    WHERE dimension = 2 ORDER BY shape.ctid, ground.priority;

    INSERT INTO feature
    SELECT 'water_polygons', jsonb_build_object('kind', CASE WHEN tags->>'natural' = 'water' THEN 'water' ELSE 'river' END),
        4, ST_Area(shape.geom), shape.geom
    FROM shape
    WHERE dimension = 2 AND (tags->>'natural' = 'water' OR tags->>'waterway' IN ('riverbank', 'dock')
        OR tags->>'landuse' IN ('reservoir', 'basin'));
    INSERT INTO feature
    SELECT 'water_lines', jsonb_build_object('kind', tags->>'waterway'),
        CASE WHEN tags->>'waterway' = 'stream' THEN 13 ELSE 9 END, null, shape.geom
    FROM shape
    WHERE dimension = 1 AND tags->>'waterway' IN ('river', 'canal', 'stream') AND coalesce(tags->>'tunnel', 'no') = 'no';

    -- Borders are mapped as ways, as areas, or as both.
    INSERT INTO feature
    SELECT 'boundaries', jsonb_build_object('admin_level', level), CASE level WHEN 2 THEN 2 ELSE 6 END, null,
        ST_LineMerge(ST_Union(line))
    FROM (
        SELECT (tags->>'admin_level')::int AS level,
            CASE dimension WHEN 1 THEN shape.geom ELSE ST_Boundary(ST_Intersection(shape.geom, ST_Expand(box, 100))) END AS line
        FROM shape
        WHERE dimension > 0 AND tags->>'boundary' = 'administrative' AND tags->>'admin_level' IN ('2', '4')
            AND coalesce(tags->>'maritime', 'no') = 'no'
    ) border
    GROUP BY level HAVING count(line) > 0;

    INSERT INTO feature
    SELECT 'place_labels',
        jsonb_strip_nulls(jsonb_build_object('kind', place.kind, 'name', tags->>'name',
            'population', nullif(left(regexp_replace(tags->>'population', '[^0-9]', '', 'g'), 10), '')::bigint)),
        place.zoom, null, shape.geom
    FROM shape JOIN place_kind place ON place.kind = tags->>'place'
    WHERE dimension = 0 AND tags ? 'name';
    INSERT INTO feature
    SELECT 'public_transport', jsonb_build_object('kind', kind, 'name', tags->>'name'),
        CASE kind WHEN 'station' THEN 13 ELSE 15 END, null, ST_PointOnSurface(shape.geom)
    FROM shape
        CROSS JOIN LATERAL (SELECT coalesce(tags->>'railway', tags->>'highway')) AS stop (kind)
    WHERE dimension <> 1 AND kind IN ('station', 'halt', 'tram_stop', 'subway_entrance', 'bus_stop') AND tags ? 'name';
    INSERT INTO feature
    SELECT DISTINCT ON (shape.ctid) 'pois', jsonb_build_object(poi.key, poi.value, 'name', tags->>'name'), poi.zoom, null,
        ST_PointOnSurface(shape.geom)
    FROM shape JOIN poi_kind poi ON tags->>poi.key = poi.value
    WHERE dimension <> 1 AND tags ? 'name' ORDER BY shape.ctid, poi.zoom, poi.key;

    INSERT INTO feature
    SELECT 'ocean', '{"kind": "ocean"}', 0, null, face
    FROM (SELECT array_agg(shape.geom) AS coast FROM shape WHERE dimension = 1 AND tags->>'natural' = 'coastline') whole
        CROSS JOIN LATERAL sea_faces(coast, box) AS face
    WHERE coast IS NOT NULL;

    UPDATE feature SET geom = ST_CollectionExtract(ST_MakeValid(geom), 3)
    WHERE ST_Dimension(geom) = 2 AND NOT ST_IsValid(geom);
    UPDATE feature SET geom = ST_CollectionExtract(ST_Intersection(geom, box), ST_Dimension(geom) + 1)
    WHERE NOT ST_CoveredBy(geom, box);
    DELETE FROM feature WHERE ST_IsEmpty(geom);

    -- Large shapes in pieces, so that a tile reads only what is near it.
    CREATE TEMPORARY TABLE large ON COMMIT DROP AS
        SELECT * FROM feature WHERE ST_Dimension(geom) = 2 AND ST_NPoints(geom) > 256;
    DELETE FROM feature WHERE ST_Dimension(geom) = 2 AND ST_NPoints(geom) > 256;
    INSERT INTO feature SELECT layer, attributes, zoom, area, ST_Subdivide(geom, 256) FROM large;

    CREATE INDEX ON feature USING gist (geom);
    ANALYZE feature;
    RETURN QUERY SELECT ST_XMin(degrees), ST_YMin(degrees), ST_XMax(degrees), ST_YMax(degrees);
END $$;

-- The tiles of one zoom inside a tile of a lower zoom, the block.
--
-- A tile is shown 512 px wide. Lines lose detail below 0.35 px, and areas below 12 px² are left out; from zoom 13, 6 px².
-- The last zoom, 15, keeps everything, because it is enlarged.
CREATE FUNCTION make_tiles(tile_zoom int, block_zoom int, block_x int, block_y int)
RETURNS TABLE (x int, y int, tile bytea) LANGUAGE plpgsql STABLE AS $$
DECLARE
    half constant float8 := 20037508.342789244;
    side float8 := 2 * half / 2 ^ tile_zoom;
    pixel float8 := side / 512;
    count int := 2 ^ (tile_zoom - block_zoom);
    smallest float8 := CASE WHEN tile_zoom < 13 THEN 12 WHEN tile_zoom < 15 THEN 6 ELSE 0 END * pixel * pixel;
    block geometry := ST_Expand(ST_TileEnvelope(block_zoom, block_x, block_y), side / 64);
BEGIN
    RETURN QUERY
    WITH near AS MATERIALIZED (
        SELECT feature.layer, feature.attributes,
            CASE WHEN tile_zoom >= 15 OR ST_Dimension(feature.geom) = 0 THEN feature.geom
                ELSE ST_Simplify(feature.geom, pixel * 0.35, true) END AS geom
        FROM feature
        WHERE feature.geom && block AND feature.zoom <= tile_zoom AND (feature.area IS NULL OR feature.area > smallest)
    ), placed AS (
        SELECT near.*, tile_x, tile_y
        FROM near
            CROSS JOIN LATERAL generate_series(
                greatest(block_x * count, floor((ST_XMin(geom) + half) / side - 0.02)::int),
                least(block_x * count + count - 1, floor((ST_XMax(geom) + half) / side + 0.02)::int)) AS tile_x
            CROSS JOIN LATERAL generate_series(
                greatest(block_y * count, floor((half - ST_YMax(geom)) / side - 0.02)::int),
                least(block_y * count + count - 1, floor((half - ST_YMin(geom)) / side + 0.02)::int)) AS tile_y
        WHERE geom IS NOT NULL AND NOT ST_IsEmpty(geom)
    ), clipped AS (
        SELECT tile_x, tile_y, layer, attributes,
            ST_AsMVTGeom(geom, ST_TileEnvelope(tile_zoom, tile_x, tile_y), 4096, 64, true) AS geom
        FROM placed
    ), merged AS (
        -- Points stay apart; lines and areas with equal attributes are one feature.
        SELECT tile_x, tile_y, layer, ROW(attributes, geom)::tile_feature AS feature
        FROM clipped WHERE ST_Dimension(geom) = 0
        UNION ALL
        SELECT tile_x, tile_y, layer, ROW(attributes, CASE ST_Dimension(geom)
            WHEN 1 THEN ST_LineMerge(ST_CollectionExtract(ST_Collect(geom), 2))
            ELSE ST_CollectionExtract(ST_Collect(geom), 3) END)::tile_feature
        FROM clipped WHERE ST_Dimension(geom) > 0
        GROUP BY tile_x, tile_y, layer, attributes, ST_Dimension(geom)
    ), layers AS (
        SELECT tile_x, tile_y, layer, ST_AsMVT(feature, layer, 4096, 'geom') AS bytes
        FROM merged GROUP BY tile_x, tile_y, layer
    )
    SELECT tile_x, tile_y, string_agg(bytes, '' ORDER BY layer) FROM layers GROUP BY tile_x, tile_y;
END $$;
