import { useState } from 'react';
import type { NewTokenResult } from '../../../server/contract/directory.ts';
import { TokenDialog } from './token-dialog.tsx';
import type { ClientPlace } from './token-lines.tsx';
import { TokenReveal } from './token-reveal.tsx';

interface CreateTokenProps {
  /** Whose token it is, if that is known. */
  userId?: number;
  /** Where its user points a client, if that is known. */
  place?: ClientPlace;
  onCreated?: (created: NewTokenResult) => void;
  /** Closed, with or without a token. */
  onClose: () => void;
}

/** Makes a token and shows it, once. */
export function CreateToken({ userId, place, onCreated, onClose }: CreateTokenProps) {
  const [created, setCreated] = useState<NewTokenResult>();
  return created === undefined ? (
    <TokenDialog
      {...(userId === undefined ? {} : { userId })}
      onClose={onClose}
      onCreated={(result) => {
        setCreated(result);
        onCreated?.(result);
      }}
    />
  ) : (
    <TokenReveal created={created} {...(place === undefined ? {} : { place })} onClose={onClose} />
  );
}
