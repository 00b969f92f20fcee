-- An account may be deleted while fixes of it are still on their way to the table. The journal calls this at the end
-- of each batch, after it has locked the batch's devices: either the deletion waits for the batch and finds its fixes,
-- or the batch finds the account gone.
CREATE FUNCTION muster.forget_fixes_of_deleted(users bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    gone bigint[];
BEGIN
    SELECT array_agg(u) INTO gone
    FROM unnest(users) AS u WHERE NOT EXISTS (SELECT FROM muster.account a WHERE a.id = u);
    IF gone IS NOT NULL THEN
        DELETE FROM muster.fix WHERE user_id = ANY (gone);
    END IF;
END $$;
COMMENT ON FUNCTION muster.forget_fixes_of_deleted IS 'Deletes the fixes of those among the users who have no account any more.';
