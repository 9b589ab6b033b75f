interface Place {
  baseUrl: string;
  apiKey: string;
  target: { url: string; verificationId: string } | null;
}

/** Lines for a shell, each of which works as it is printed. The key is typed by nobody and stored nowhere. */
export function thingsToTry({ baseUrl, apiKey, target }: Place): string[] {
  const call = `curl -w '\\n' -H "Authorization: Bearer $SORTIE_API_KEY"`;
  const balance = `${call} ${baseUrl}/v1/credits/balance`;
  const exported = `export SORTIE_API_KEY=${apiKey}`;
  if (target === null) return [exported, balance];
  const { host, hostname } = new URL(target.url);
  const port = host.slice(hostname.length);
  const order = JSON.stringify({ targetUrl: target.url, verificationId: target.verificationId });
  return [
    exported,
    `npx sortie scan ${target.url} --local --allow-address ${hostname}/32${port}`,
    `${call} -H "Idempotency-Key: my-first-pentest" --json '${order}' ${baseUrl}/v1/pentests`,
    `${call} ${baseUrl}/v1/pentests`,
  ];
}
