import { isRecord } from '../../inventory/example-value.ts';
import type { Description } from './description.ts';
import { embeddedDocuments } from './documentation-page.ts';
import { MOST_CHARACTERS, parseDocument } from './parse-document.ts';
import { describeGraphql } from './read-graphql-schema.ts';
import { describeHar } from './read-har.ts';
import { describeListing } from './read-listing.ts';
import { describeOpenApi } from './read-openapi.ts';
import { describePostman } from './read-postman.ts';
import { describeWsdl } from './read-wsdl.ts';

/** Keys by which a structured description is recognized before it is parsed. */
const STRUCTURED = /["']?(?:openapi|swagger|item|log|__schema)["']?\s{0,9}:/;

/**
 * Reads an API description, whose format is recognized by its content. Returns undefined if the text is none. The base
 * is the URL of the document, or that of the target for a document without a URL.
 */
export function readDescription(text: string, base: string): Description | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const isPage = /^\uFEFF?\s*</.test(text);
  const document = !isPage && STRUCTURED.test(text) ? parseDocument(text) : undefined;
  return (
    describeOpenApi(isPage ? embeddedIn(text) : document, base) ??
    (isPage ? describeWsdl(text, base) : undefined) ??
    describePostman(document, base) ??
    describeHar(document, base) ??
    describeGraphql(text, document, base) ??
    (typeof document === 'object' ? undefined : describeListing(text, base))
  );
}

/** Some documentation pages carry the OpenAPI document in themselves. */
function embeddedIn(html: string): unknown {
  const text = embeddedDocuments(html).find((each) => STRUCTURED.test(each));
  const document = text === undefined ? undefined : parseDocument(text);
  return isRecord(document) && isRecord(document.spec) ? document.spec : document;
}
