import { rateLimits } from './rate-limits.ts';

/** The introduction of the API document, in Markdown. */
export const guide = `
Check credits, run passive scans and AI pentests, and read what they found, from a script or a pipeline.
Everything is JSON over HTTPS (HTTP without TLS on your own machine). There are no webhooks: clients poll.

## Authentication

Send \`Authorization: Bearer <API_KEY>\` with every request. A key has permissions (\`credits:read\`, \`scans:read\`,
\`scans:write\`, \`pentests:read\`, \`pentests:write\`), may have an expiry and a monthly credit budget, and belongs to one
account and one environment. People create keys in the dashboard under [Settings, API keys](/to/settings/keys), where they
are shown once, and switch on the API runs of a [target](/to/targets). A permission is effective only while the role of the key's creator has it too. Every
invalid key gets the same response, 401 \`UNAUTHORIZED\`.

## Starting runs safely

Starts need an \`Idempotency-Key\` header, so that a retry can never start or charge a run twice. Generate one key per
intended run, a UUID for example, and keep it until you have a response.

- Same key, same body, within 24 hours: the first response is replayed, with \`Idempotent-Replayed: true\`. The order of members
  does not matter, but leaving a field out and sending its default are two different bodies.
- Same key, different body or other endpoint: 422 \`IDEMPOTENCY_KEY_REUSED\`.
- The first request has not finished: 409 \`IDEMPOTENCY_IN_PROGRESS\`; wait for \`Retry-After\`.
- Error responses are not stored. Fix the cause and send the same request again.
- After a 500, retry with the same key. You get 409 for two minutes, then the run that was created, or a new one. A
  start without a retry ends \`FAILED\` after about five minutes and its credits are returned.

## Following a run

Keep the id and read the run every 15 to 30 seconds, with an upper bound on the total wait: a scan takes minutes, a
pentest hours. A pentest is over when its \`status\` is \`COMPLETED\`, \`FAILED\` or \`CANCELLED\`, and its findings can be
read when \`reportReleased\` is true, which on levels with expert review comes later. Let a gate pass only on \`COMPLETED\`
together with a released report. A \`status\` you do not know is neither success nor failure: keep polling until your
bound, then report it.

Lists return a \`nextOffset\`: send it as \`offset\` to get the next page, until it is null.

## Limits

| Requests in ${rateLimits.windowSeconds} seconds | Per key | Per account |
|---|---|---|
| Reads (GET) | ${rateLimits.readsPerKey} | ${rateLimits.readsPerAccount} |
| Starts and cancels (POST) | ${rateLimits.writesPerKey} | |

\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` describe the limit you are closest to. Above a limit the
response is 429 \`RATE_LIMITED\` with \`Retry-After\`; rejected requests count as well. 429 \`PENTEST_CONCURRENCY_EXCEEDED\`
is not a rate limit: wait until one of the account's pentests is over. The network edge rejects request floods from
one IP address with a 429 that has neither a body nor \`RateLimit-*\` headers.

## Errors

An error is an object with \`code\`, \`message\` and \`statusCode\`, and for most validation errors \`field\`: the path of the
invalid part, such as \`credentials[1].name\` or \`Idempotency-Key\`. Branch on \`code\`: messages may change. An unknown
member of a request body is rejected, an unknown query parameter is ignored.

## Versioning

Within \`/v1\` nothing is removed, renamed, retyped or made mandatory, and what is accepted today stays accepted. New
endpoints, new optional request fields and new response fields may appear: ignore unknown fields. A pentest's
\`status\` may gain values; every other enumeration stays as it is. A breaking change would get a new version beside this one.
`.trim();
