import { Kbd, Modal, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { screens } from './screens.ts';

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Go to a screen or an account'],
  ...screens.map(({ key, label }) => [`g ${key}`, label] as const),
  ['/', 'Filter the list'],
  ['j', 'Next row, next finding'],
  ['k', 'Previous row, previous finding'],
  ['Enter', 'Open the row'],
  ['?', 'This help'],
];

export function KeyHelp({ opened, onClose }: { opened: boolean; onClose(): void }): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Table>
        <Table.Tbody>
          {keys.map(([key, meaning]) => (
            <Table.Tr key={key}>
              <Table.Td w={120}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
