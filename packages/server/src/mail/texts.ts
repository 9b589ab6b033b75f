export interface MailText {
  subject: string;
  text: string;
}

/** Returns the mail with a link to set a new password. */
export function resetText({ link, minutes }: { link: string; minutes: number }): MailText {
  return {
    subject: 'Set a new password for Sortie',
    text: paragraphs(
      'Someone requested a new password for this e-mail address. To set one, open this link:',
      link,
      `It works once, for ${minutes} minutes. All sessions end when the password is set.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ),
  };
}

interface InvitationFacts {
  account: string;
  invitedBy: string;
  role: string;
  link: string;
  expiresAt: Date;
}

/** Returns the mail that invites a person to an organization. */
export function invitationText({ account, invitedBy, role, link, expiresAt }: InvitationFacts): MailText {
  return {
    // The subject contains no name, because people choose names freely.
    subject: 'Invitation to an account on Sortie',
    text: paragraphs(
      `${plainName(invitedBy)} invites you to the account "${plainName(account)}" as ${role}. To join, open this link:`,
      link,
      `It works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, for this e-mail address.`,
      'If you do not know the sender, ignore this mail.',
    ),
  };
}

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`;

const LONGEST_NAME = 60;

/** Returns the name without characters that mail programs turn into links or line breaks. */
const plainName = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}:/\\<>@"]+/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .slice(0, LONGEST_NAME)
    .trim();
