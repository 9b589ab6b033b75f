import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callAuth } from '../../../api/auth.ts';
import { useMe } from '../../../shell/use-account.ts';

/** Reads an endpoint of the sign-in, of the present person. */
export function useAuth<Answer>(name: string) {
  const { user } = useMe();
  return useQuery({ queryKey: ['auth', user.id, name], queryFn: () => callAuth<Answer>(name) });
}

/**
 * Changes how the person signs in, then reads again what the page shows. Passwords, secrets and codes leave the memory
 * of the page together with the dialog that shows them.
 */
export function useAuthChange<Input, Answer = unknown>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, gcTime: 0, onSuccess: () => client.invalidateQueries() });
}
