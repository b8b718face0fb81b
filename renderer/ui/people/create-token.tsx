import { useState } from 'react';
import type { NewTokenResult } from '../../../server/contract/directory.ts';
import { TokenDialog } from './token-dialog.tsx';
import { TokenReveal } from './token-reveal.tsx';

interface CreateTokenProps {
  /** Whose token it is, if that is known. */
  userId?: number;
  /** Closed, with or without a token. */
  onClose: () => void;
}

/** Makes a token and shows it, once. */
export function CreateToken({ userId, onClose }: CreateTokenProps) {
  const [created, setCreated] = useState<NewTokenResult>();
  return created === undefined ? (
    <TokenDialog {...(userId === undefined ? {} : { userId })} onClose={onClose} onCreated={setCreated} />
  ) : (
    <TokenReveal created={created} onClose={onClose} />
  );
}
