-- What the agents of a run's planner have used in a step: times and requests per specialist and tool.
alter table pentest_step add column tool_use jsonb;
