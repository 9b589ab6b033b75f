import { resolveUrl } from '../read-page.ts';

/** Viewers of OpenAPI documents. */
const VIEWER =
  /SwaggerUIBundle|swagger-ui[\w.-]*\.(?:js|css)|id=["']swagger-ui["']|<redoc\b|Redoc\.init|redoc\.standalone|<rapi-doc\b|rapidoc(?:-min)?\.js|id=["']api-reference["']|@scalar\/api-reference|<elements-api\b|createApiReference/i;
/** Consoles of GraphQL endpoints. */
const CONSOLE =
  /graphiql(?:\.min)?\.(?:js|css)|GraphiQL\b|GraphQLPlayground|graphql-playground|embeddable-sandbox|EmbeddedSandbox|altair-graphql/i;

/** Returns whether a page shows a description of an API, operation by operation, in the browser. */
export const isDocumentationPage = (html: string) => VIEWER.test(html) || CONSOLE.test(html);
export const isGraphqlConsole = (html: string) => CONSOLE.test(html);

/** Programs of these viewers. They are large and name no address of the target. */
export const isDocumentationLibrary = (url: string) =>
  /\/(?:swagger-ui(?:-bundle|-standalone-preset|-es-bundle(?:-core)?)?|redoc\.standalone|rapidoc(?:-min)?|graphiql(?:\.min)?|react(?:-dom)?(?:\.\w+)*\.min)\.js(?:[?#]|$)/i.test(
    url,
  );

const NAMED =
  /\b(?:url|spec-?url|configUrl|data-url|apiDescriptionUrl|swaggerUrl|openapiUrl|definitionUrl|endpoint|defaultEndpoint)["']?\s{0,9}[:=]\s{0,9}(?:[\w.()+`$ {}]{1,80}\+\s{0,9})?["'`]([^"'`<>\s]{1,500})["'`]/gi;
const PASSED = /(?:Redoc\.init|fetch)\(\s{0,9}["'`]([^"'`<>\s]{1,500})["'`]/g;
const MOST_LINKS = 20;

/** Returns the URLs that the configuration of a viewer names, in a page, a script or a JSON document. */
export function linkedDescriptions(text: string, url: string): string[] {
  const references = [...text.matchAll(NAMED), ...text.matchAll(PASSED)].map(([, reference = '']) => reference);
  const urls = references.flatMap((reference) => resolveUrl(reference.replaceAll('\\/', '/'), url) ?? []);
  return [...new Set(urls)].filter((each) => !/\.(?:js|css|png|svg|ico)(?:[?#]|$)/i.test(each)).slice(0, MOST_LINKS);
}

/** Returns the JSON documents that a page carries in itself. */
export function embeddedDocuments(html: string): string[] {
  const found = html.matchAll(
    /<script[^>]{0,300}type=["']application\/(?:[\w.]+\+)?json["'][^>]{0,300}>([^<]{20,})<\/script>/gi,
  );
  return [...found].slice(0, MOST_LINKS).map(([, text = '']) => text);
}
