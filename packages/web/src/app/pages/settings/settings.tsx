import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../look/page.tsx';
import { useAccount, useScreenPath } from '../../shell/use-account.ts';
import { settingsTabs } from './tabs.ts';

export function SettingsPage(): ReactNode {
  const { tab } = useParams({ strict: false });
  const role = useAccount()?.role;
  const navigate = useNavigate();
  const screenPath = useScreenPath();
  const tabs = settingsTabs.filter(({ roles }) => role && (roles === undefined || roles.includes(role)));
  const shown = tabs.find(({ path }) => path === tab) ?? tabs[0];
  return (
    <Page title="Settings">
      <Tabs
        value={shown?.path ?? null}
        onChange={(path) => path && navigate({ href: screenPath(`settings/${path}`) })}
        keepMounted={false}
      >
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflow: 'auto hidden' }}>
          {tabs.map(({ path, label }) => (
            <Tabs.Tab key={path} value={path}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ path, component: Content }) => (
          <Tabs.Panel key={path} value={path}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
