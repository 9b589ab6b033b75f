import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema, OpenApiDocument } from '../../packages/contract/src/openapi-document.ts';

/** For tests: judges values by the document alone, as a client that has nothing else would. */
export function createDocumentValidator({ components }: OpenApiDocument) {
  // Formats are words for people in our dialect: host names may be international, which `uri` would refuse.
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true } });
  addFormats.default(ajv, ['date-time', 'date']);

  /** Returns a function that lists what is wrong with a value; nothing when it fits the schema. */
  return function compile(schema: JsonSchema): (value: unknown) => string[] {
    const validate = ajv.compile({ ...schema, components });
    return (value) => {
      validate(value);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
    };
  };
}
