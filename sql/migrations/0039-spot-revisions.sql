-- Servers hold spots, on their maps and as names of gatherings: they learn of a change by whomever from muster_change.

ALTER TABLE muster.spot ADD COLUMN revision bigint NOT NULL DEFAULT 1;
COMMENT ON COLUMN muster.spot.revision IS 'Rises with every change of the spot or its photo, whoever makes it; votes do not count.';

CREATE FUNCTION muster.settle_spot() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.revision := greatest(NEW.revision, OLD.revision + 1);
    RETURN NEW;
END $$;
COMMENT ON FUNCTION muster.settle_spot() IS 'Trigger that raises the revision of a spot that is changed.';

CREATE TRIGGER spot_settle BEFORE UPDATE ON muster.spot
    FOR EACH ROW EXECUTE FUNCTION muster.settle_spot();
CREATE TRIGGER spot_announce AFTER INSERT OR UPDATE OR DELETE ON muster.spot
    FOR EACH ROW EXECUTE FUNCTION muster.announce_change('spot');
CREATE TRIGGER spot_announce_all AFTER TRUNCATE ON muster.spot
    FOR EACH STATEMENT EXECUTE FUNCTION muster.announce_change('spot');

CREATE FUNCTION muster.settle_spot_photo() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE muster.spot SET revision = revision + 1 WHERE id = OLD.spot_id;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.settle_spot_photo() IS 'Trigger that raises the revision of a spot that loses its photo.';

CREATE TRIGGER photo_use_spot AFTER DELETE ON muster.photo_use
    FOR EACH ROW WHEN (OLD.spot_id IS NOT NULL) EXECUTE FUNCTION muster.settle_spot_photo();
