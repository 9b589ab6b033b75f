interface Place {
  baseUrl: string;
  apiKey: string;
  target: { url: string; verificationId: string } | null;
}

/** Where the command line looks by itself. */
const USUAL_URL = 'http://127.0.0.1:4800';

/**
 * Lines for a shell, each of which works as it is printed. The key is set for that shell alone: nothing is stored outside
 * of the data folder unless somebody asks for it with `sortie login`.
 */
export function thingsToTry({ baseUrl, apiKey, target }: Place): string[] {
  const settings = [
    `export SORTIE_API_KEY=${apiKey}`,
    ...(baseUrl === USUAL_URL ? [] : [`export SORTIE_BASE_URL=${baseUrl}`]),
  ];
  if (target === null) return [...settings, 'npx sortie credits'];
  return [
    ...settings,
    `npx sortie scan ${target.url}`,
    `npx sortie gate --start --target ${target.url} --verification ${target.verificationId} --poll 2s`,
    'npx sortie credits',
  ];
}
