-- WSDL documents are read as API descriptions.
alter table api_description
  drop constraint api_description_kind_check,
  add constraint api_description_kind_check check (kind in ('OPENAPI', 'POSTMAN', 'HAR', 'WSDL', 'GRAPHQL'));
