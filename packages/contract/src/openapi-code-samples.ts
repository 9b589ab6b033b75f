import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { CodeSample } from './openapi-document.ts';

export const exampleIdempotencyKey = '4f9d2c1e-7b5a-4c3d-9e8f-1a2b3c4d5e6f';

function exampleBody({ body, path }: Endpoint): unknown {
  const [example] = (body instanceof z.ZodType && (body.meta()?.examples as unknown[])) || [];
  if (example === undefined) throw new Error(`${path} has no example of its body`);
  return example;
}

/** Returns a curl command for a start, with every required header. */
export function startSample(endpoint: Endpoint): CodeSample {
  const lines = [
    `curl "$SORTIE_URL${endpoint.path}"`,
    '--header "Authorization: Bearer $SORTIE_API_KEY"',
    `--header 'Idempotency-Key: ${exampleIdempotencyKey}'`,
    "--header 'Content-Type: application/json'",
    `--data '${JSON.stringify(exampleBody(endpoint), null, 2)}'`,
  ];
  return { lang: 'Shell', label: 'curl', source: lines.join(' \\\n  ') };
}
