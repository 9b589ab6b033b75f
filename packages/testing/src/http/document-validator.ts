import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema, OpenApiDocument } from '../../../contract/src/openapi-document.ts';

/** Validates values by the OpenAPI document alone, as a client does. */
export function createDocumentValidator({ components }: OpenApiDocument) {
  // `uri` is not validated, because it would reject internationalized host names.
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true } });
  addFormats.default(ajv, ['date-time', 'date']);

  /** Returns a function that lists the errors of a value; empty if it matches the schema. */
  return function compile(schema: JsonSchema): (value: unknown) => string[] {
    const validate = ajv.compile({ ...schema, components });
    return (value) => {
      validate(value);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
    };
  };
}
