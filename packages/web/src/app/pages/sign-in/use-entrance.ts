import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { callAuth } from '../../api/auth.ts';
import { safeReturnPath } from '../../api/return-path.ts';

interface Answer {
  /** The password was right, and a code is needed as well. */
  twoFactorRedirect?: boolean;
}

/** Sends a form of the sign-in and, if it succeeds, goes to where the person wanted to be. */
export function useEntrance(name: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { to } = useSearch({ strict: false });
  return useMutation({
    mutationFn: (body: object) => callAuth<Answer | undefined>(name, body),
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
