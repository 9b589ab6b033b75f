-- Whether runs of the account may use language models outside of the operator's network.
alter table account add column external_models boolean not null default true;
