-- A key that replaces another one shares its budget: a roll must not double what may be spent in the month.
-- The id of the first key of the chain; null for a key that was not rolled.
alter table api_key add column budget_of text references api_key;

create index api_key_budget on api_key (coalesce(budget_of, id));

-- The keys that share the budget of a key, and the key itself.
create function keys_of_budget(key_id text) returns setof text language sql stable as $$
  select shares.id from api_key as shares
  where coalesce(shares.budget_of, shares.id) =
    (select coalesce(given.budget_of, given.id) from api_key as given where given.id = key_id)
$$;
