import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callAuth } from '../../api/auth.ts';
import { call } from '../../api/call.ts';
import { forgetToken } from './token.ts';

/** Accepts an invitation, for a new person after the sign-up, and goes to the account. */
export function useJoin(token: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation<{ accountId: string }, Error, object | undefined>({
    // Passwords leave the memory of the page with the form.
    gcTime: 0,
    onError: () => undefined,
    async mutationFn(newPerson) {
      if (newPerson) await callAuth('sign-up/email', { ...newPerson, invitation: token });
      return call('acceptInvitation', { params: {}, body: { token } });
    },
    async onSuccess({ accountId }) {
      forgetToken();
      client.clear();
      await navigate({ to: '/accounts/$accountId', params: { accountId }, replace: true });
    },
  });
}
