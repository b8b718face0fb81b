import { Anchor, Select, Switch, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isLoopback } from '../../../server/contract/loopback.ts';
import type { ServerStatus } from '../../../server/contract/server.ts';
import { useAppInfo, useSaveSettings, useSettings } from '../../api/app.ts';
import { showSetting } from '../page/reach.ts';

interface AddressFieldProps {
  /** Where the registry listens, and where clients may reach it, that of this computer first. */
  status: Pick<ServerStatus, 'host' | 'origins'>;
  value: string;
  onChange: (origin: string | null) => void;
  /** Whether the screen must stay, so that the setting is changed here and not where it is. */
  stays?: boolean;
}

/** Chooses one of several addresses of the registry, or says that other computers cannot connect and leads to the setting for it. */
export function AddressField({ status: { host, origins }, value, onChange, stays = false }: AddressFieldProps) {
  const isAlone = origins.length <= 1 && isLoopback(host);
  const [wasAlone] = useState(isAlone);
  const choice =
    origins.length > 1 ? (
      <Select
        label="Address"
        description="Must be reachable from the computer that publishes or installs."
        allowDeselect={false}
        data={origins.map((origin, index) => ({
          value: origin,
          label: index === 0 ? `${origin} (this computer)` : origin,
        }))}
        value={value}
        onChange={onChange}
      />
    ) : null;
  // What was turned on here can be turned off here, at the same place.
  if (!isAlone && !(stays && wasAlone)) return choice;
  return (
    <>
      <Text component="div" fz="sm" c="dimmed" style={{ gridColumn: '1 / -1' }}>
        {isAlone ? 'The registry can be reached from this computer only.' : 'Other computers can connect.'}{' '}
        {stays ? <ServeOthers /> : <SettingLink />}
      </Text>
      {choice}
    </>
  );
}

function SettingLink() {
  const navigate = useNavigate();
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      underline="always"
      onClick={() => void navigate({ to: '/settings' }).then(() => showSetting('Serve other computers'))}
    >
      Serve other computers…
    </Anchor>
  );
}

function ServeOthers() {
  const { data: info } = useAppInfo();
  const { data: settings } = useSettings();
  const { mutate: save, isPending, variables } = useSaveSettings();
  if (typeof info?.fixedHost === 'string') {
    return (
      <>
        <code>GATEHOUSE_HOST</code> sets that.
      </>
    );
  }
  return (
    <Switch
      mt={8}
      label="Serve other computers"
      description="Other computers connect without encryption (HTTP)."
      // It has its place before they are read: what is below it would move under the pointer.
      disabled={info === undefined || settings === undefined}
      checked={(isPending ? variables.serveOthers : undefined) ?? settings?.serveOthers ?? false}
      onChange={(event) => save({ serveOthers: event.currentTarget.checked })}
    />
  );
}
