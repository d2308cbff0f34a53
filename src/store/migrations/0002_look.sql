-- A screen shows the newest records of one grant, and who approved it: neither may take longer in a longer audit.
CREATE INDEX audit_of_grant ON audit (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX audit_approvals ON audit (kind) WHERE kind = 'authorization.approved';
