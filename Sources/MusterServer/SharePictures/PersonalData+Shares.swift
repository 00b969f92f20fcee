extension PersonalData {
    static let shares = [
        // The remaining row only records that a picture existed at an address; it does not identify the user.
        PersonalData(
            "share",
            deletion: .before("UPDATE muster.share SET maker_id = NULL WHERE maker_id = $1"),
            export: .list(
                "shares",
                PagedQuery(
                    """
                    json_build_object('id', s.id::text, 'group', s.group_id::text, 'named', s.named,
                        'at', \(time("s.created_at")), 'expiresAt', \(time("s.expires_at")),
                        'revokedAt', \(time("s.revoked_at")))
                    """,
                    from: "muster.share s WHERE s.maker_id = $1",
                    orderedBy: "s.id"
                )
            )
        ),
        PersonalData(
            "share_member",
            export: .list(
                "shownOn",
                PagedQuery(
                    """
                    json_build_object('share', s.id::text, 'group', s.group_id::text, 'by', s.maker_id::text,
                        'as', m.shown_as, 'at', \(time("s.created_at")), 'expiresAt', \(time("s.expires_at")),
                        'revokedAt', \(time("s.revoked_at")))
                    """,
                    from: "muster.share_member m JOIN muster.share s ON s.id = m.share_id WHERE m.user_id = $1",
                    orderedBy: "m.share_id"
                )
            )
        ),
    ]
}
