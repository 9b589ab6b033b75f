-- Whether the exchange is a control of the proof. Null for exchanges of the releases before.
alter table evidence add column is_control boolean;
