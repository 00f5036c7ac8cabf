// Takes or keeps a lease by the clock of the database; a new holder gets a higher fencing number.
// mode: write
// params: key, holder, seconds
// rows: one {fence}, none while another holder has it
MERGE (l:Meta {key: $key})
ON CREATE SET l.fence = 0, l.until = datetime({epochMillis: 0})
SET l += {}
WITH l WHERE l.holder = $holder OR l.until < datetime()
SET l.fence = CASE WHEN l.holder = $holder THEN l.fence ELSE l.fence + 1 END,
    l.holder = $holder,
    l.until = datetime() + duration({seconds: $seconds})
RETURN l.fence AS fence
