import type { CreatedKey } from '@sortie/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOptions, call } from '../../../api/call.ts';

/**
 * Creates a key whose text is only in the state of the component that shows it: what a mutation returns stays in a cache
 * of the page after the component is gone.
 */
export function useKeySecret<N extends 'createKey' | 'rollKey'>(name: N) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const { mutate, error, isPending } = useMutation<void, Error, CallOptions<N>>({
    async mutationFn(options) {
      const created: CreatedKey = await call(name, options);
      setSecret(created.key);
    },
    onSuccess: () => client.invalidateQueries(),
  });
  return { send: mutate, error, isPending, secret };
}
