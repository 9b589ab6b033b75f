import { type Examples, ids, keyBudget } from './example-data.ts';

export const creditExamples: Pick<Examples, 'getCreditsBalance' | 'getCreditsUsage' | 'listLevels'> = {
  getCreditsBalance: {
    available: 8_154,
    held: 0,
    plan: 3_154,
    purchased: 5_000,
    nextExpiry: { credits: 3_154, at: '2026-04-01T00:00:00.000Z' },
    keyBudget,
    memberAllowance: null,
  },
  getCreditsUsage: {
    usage: [
      {
        id: 'use_2bC7dF4gH9jK1mN6pQ8r',
        type: 'HOLD',
        credits: -1_500,
        part: 'testing',
        pentestId: ids.pentest,
        apiKeyId: ids.key,
        description: 'Standard pentest of https://shop.example.com',
        createdAt: '2026-03-02T10:00:00.000Z',
        balanceAfter: { available: 8_500, held: 1_500 },
      },
    ],
    nextOffset: null,
  },
  listLevels: {
    levels: [
      {
        depth: 'STANDARD',
        name: 'Standard',
        credits: 2_000,
        reviewCredits: 500,
        expertReview: true,
        api: true,
        maxMinutes: 180,
      },
    ],
  },
};
