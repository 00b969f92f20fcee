-- A guest whom the host removed stays removed from the event when they leave the group of the event and join it again.

CREATE OR REPLACE FUNCTION muster.leave_events() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM muster.membership m WHERE m.group_id = OLD.group_id AND m.user_id = OLD.user_id) THEN
        RETURN NULL;
    END IF;
    DELETE FROM muster.event_guest g USING muster.event e
    WHERE e.id = g.event_id AND e.group_id = OLD.group_id AND g.user_id = OLD.user_id AND g.rsvp <> 'removed';
    UPDATE muster.event e SET host_id = m.user_id, key = NULL, revision = e.revision + 1
    FROM muster.membership m
    WHERE e.group_id = OLD.group_id AND e.host_id = OLD.user_id AND m.group_id = OLD.group_id AND m.role = 'owner';
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.leave_events() IS 'Trigger that removes a member who leaves a group from the guest lists of its events, except where the host removed them, and passes the events that they host there to the owner.';
