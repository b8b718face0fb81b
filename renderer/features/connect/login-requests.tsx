import { Button, Select } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { PendingLogin } from '../../../server/contract/login.ts';
import { useUsers } from '../../api/directory.ts';
import { useAnswerLogin, usePendingLogins } from '../../api/login.ts';
import './login-requests.css';

/** Above every screen: `npm login` calls that wait for somebody to say who it is. */
export function LoginRequests() {
  const { data: pending = [] } = usePendingLogins();
  return pending.map((login) => <LoginRequest key={login.id} login={login} />);
}

function LoginRequest({ login }: { login: PendingLogin }) {
  const { data: users = [] } = useUsers();
  const answer = useAnswerLogin();
  const [chosen, setChosen] = useState<string | null>(null);
  const active = users.filter((user) => user.state === 'active');
  const userId = chosen ?? (active[0] === undefined ? null : String(active[0].id));
  return (
    <section className="gh-login" role="alert" aria-label="A client wants to log in">
      <IconLogin2 size={18} aria-hidden="true" />
      <p>
        <strong>{login.client}</strong>
        {login.address === null ? '' : ` at ${login.address}`} wants to log in. Its page shows <code>{login.code}</code>
        .
      </p>
      <Select
        aria-label="Log in as"
        w={190}
        searchable
        allowDeselect={false}
        data={active.map((user) => ({ value: String(user.id), label: `${user.name} (@${user.username})` }))}
        value={userId}
        onChange={setChosen}
      />
      <Button
        loading={answer.isPending}
        disabled={userId === null}
        onClick={() => answer.mutate({ id: login.id, userId: Number(userId) })}
      >
        Allow
      </Button>
      <Button variant="default" onClick={() => answer.mutate({ id: login.id, userId: null })}>
        Deny
      </Button>
    </section>
  );
}
