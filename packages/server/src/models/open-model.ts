import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelSetting } from '../billing/model-settings.ts';

/** Local servers need no key, but the libraries insist on one. */
const NO_KEY = 'none';

/** A redirect would send the key and the data of a run to another host. */
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

/** Opens a model through the AI SDK. Loads a provider's library with its first use. */
export async function openModel({ provider, model, url, key }: ModelSetting): Promise<LanguageModelV4> {
  const apiKey = key?.reveal() ?? NO_KEY;
  const place = { fetch: withoutRedirects, ...(url !== null && { baseURL: url }) };
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey, ...place })(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, ...place }).responses(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ apiKey, ...place })(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      // Sends no header without a key.
      const keyed = key === null ? {} : { apiKey };
      return createOpenAICompatible({ name: 'model', ...place, baseURL: url ?? '', includeUsage: true, ...keyed })(
        model,
      );
    }
  }
}
