import { z } from 'zod';

/** Locations of parameters in a request. */
export const parameterLocations = [
  'query',
  'path',
  /** In a body of type application/x-www-form-urlencoded. */
  'form',
  'json',
  /** A text or an attribute in an XML body, as SOAP has it. */
  'xml',
  /** In a body of type multipart/form-data: the value of a field, or the content of a file. */
  'multipart',
  'fileName',
  /** A variable of a GraphQL operation. */
  'graphql',
  'cookie',
  'header',
  /** Read only by scripts of the page. */
  'fragment',
  'webSocket',
] as const;
export type ParameterLocation = (typeof parameterLocations)[number];

export const ParameterLocationSchema = z
  .enum(parameterLocations)
  .describe(
    'Where in the request a parameter is. `form`, `json`, `xml`, `multipart` and `graphql` are parts of the body, `fileName` is the name of an uploaded file.',
  )
  .meta({ id: 'ParameterLocation', isOpen: true });
