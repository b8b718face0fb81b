import { Alert, Button, Code, Group } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { tip } from '../../ui/text/tip.ts';
import { loginMethods, type PendingLogin } from '../../../server/contract/npm.ts';
import { useUsers } from '../../api/directory.ts';
import { useAnswerLogin, usePendingLogins } from '../../api/connect.ts';
import { clientName } from '../../ui/text/client-name.ts';
import { IdSelect, userOption } from '../../ui/forms/id-select.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

/** Above every screen: `npm login` calls that wait for approval. Loaded after the first paint, hence the default export. */
export default function LoginRequests() {
  const { data: pending = [] } = usePendingLogins();
  return pending.map((login) => <LoginRequest key={login.id} login={login} />);
}

function LoginRequest({ login }: { login: PendingLogin }) {
  const { data: users = [] } = useUsers();
  const answer = useAnswerLogin();
  const form = useSchemaForm(
    loginMethods['login.approve'].input,
    { userId: null as number | null },
    {
      toInput: ({ userId }) => ({ id: login.id, userId }),
      required: { userId: 'Choose a user.' },
    },
  );
  const active = users.filter((user) => user.state === 'active');
  return (
    <Alert
      component="section"
      color="accent"
      radius={0}
      flex="none"
      px="var(--gh-gutter)"
      aria-label="A client wants to log in"
      styles={{ root: { borderWidth: '0 0 1px' } }}
    >
      <form onSubmit={form.submit(({ userId }) => answer.mutate({ id: login.id, userId }))}>
        <Group gap={12}>
          <Group gap={10} wrap="nowrap" flex="1 1 300px">
            <IconLogin2 size={18} color="var(--gh-accent)" style={{ flex: 'none' }} aria-hidden="true" />
            {/* The frame of the code is higher than a line. */}
            <div style={{ lineHeight: 1.6 }}>
              <strong {...tip(login.client)}>{clientName(login.client)}</strong>
              {login.address === null ? '' : ` at ${login.address}`} wants to log in. Allow it only if the browser shows{' '}
              <span style={{ whiteSpace: 'nowrap' }}>
                the code <Code fw={600}>{login.code}</Code>
              </span>
            </div>
          </Group>
          <Group gap={12} wrap="nowrap">
            <IdSelect
              aria-label="Log in as"
              w={190}
              searchable
              options={active.map(userOption)}
              placeholder="Log in as…"
              {...form.getInputProps('userId')}
            />
            <Button type="submit" flex="none" loading={answer.isPending}>
              Allow
            </Button>
            <Button flex="none" variant="default" onClick={() => answer.mutate({ id: login.id, userId: null })}>
              Deny
            </Button>
          </Group>
        </Group>
      </form>
    </Alert>
  );
}
