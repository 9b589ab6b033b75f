import { Anchor, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // The lighter shade has too little contrast with white text on dark pages.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Color alone does not tell a link from the text around it.
  components: { Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }) },
});
