import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { callAuth } from '../../api/auth.ts';
import { safeReturnPath } from '../../api/return-path.ts';

interface SignInResponse {
  /** The password was right, and a code is needed as well. */
  twoFactorRedirect?: boolean;
}

/** Sends a form of the sign-in and, if it succeeds, goes to where the person wanted to be. */
export const useEntrance = (name: string) =>
  useEntranceBy((body: object) => callAuth<SignInResponse | undefined>(name, body));

/** Signs in by the given way and, if it succeeds, goes to where the person wanted to be. */
export function useEntranceBy<Input>(signIn: (input: Input) => Promise<unknown>) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { to } = useSearch({ strict: false });
  return useMutation({
    mutationFn: async (input: Input) => (await signIn(input)) as SignInResponse | undefined,
    // Passwords and codes leave the memory of the page with the form.
    gcTime: 0,
    onError: () => undefined,
    async onSuccess(answer) {
      if (answer?.twoFactorRedirect) {
        await navigate({ to: '/sign-in/code', search: to === undefined ? {} : { to } });
        return;
      }
      client.clear();
      await navigate({ href: safeReturnPath(to, location.origin), replace: true });
    },
  });
}
