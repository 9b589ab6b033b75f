import type { OpenApiDocument } from '@sortie/contract';

export type JsonSchema = OpenApiDocument['components']['schemas'][string];

type Property = JsonSchema | boolean;

const toSchema = (property: Property): JsonSchema => (typeof property === 'object' ? property : {});

const literal = (value: unknown) => JSON.stringify(value);

function primitive(type: unknown): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  throw new Error(`The contract has a type that the SDK cannot write down: ${literal(type)}`);
}

/**
 * Returns only the known values of an open enumeration: the SDK opens every enumeration itself, and editors suggest
 * them.
 */
function closed(options: JsonSchema[]): JsonSchema[] {
  const isAnyString = ({ type, enum: values }: JsonSchema) => type === 'string' && values === undefined;
  const hasKnown = options.some(({ type, enum: values }) => type === 'string' && values !== undefined);
  return hasKnown ? options.filter((option) => !isAnyString(option)) : options;
}

/** Any JSON on purpose: described, and nothing else is promised. An empty schema is a mistake. */
const isAnything = (schema: JsonSchema) => Object.keys(schema).join() === 'description';

/** Returns the TypeScript type of a schema of the contract. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return closed(options.map(toSchema)).map(typeText).join(' | ');
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.type === 'array') return `(${typeText(toSchema(schema.items as Property))})[]`;
  if (schema.type === 'object') return `{\n${fieldsText(schema)}}`;
  if (isAnything(schema)) return 'unknown';
  return [schema.type].flat().map(primitive).join(' | ');
}

const comment = ({ description }: JsonSchema) =>
  description ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : '';

function fieldsText({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    const schema = toSchema(property);
    const isRequired = required.includes(name);
    return `${comment(schema)}${name}${isRequired ? '' : '?'}: ${typeText(schema)}${isRequired ? '' : ' | undefined'};\n`;
  });
  return fields.join('');
}

/** Returns the declaration of a named schema. */
export function declarationText(name: string, schema: JsonSchema): string {
  const text =
    schema.type === 'object' ? `interface ${name} ${typeText(schema)}` : `type ${name} = ${typeText(schema)};`;
  return `${comment(schema)}export ${text}\n`;
}
