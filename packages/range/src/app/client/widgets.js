// Small parts of pages. The publishable key of the map is pk_test_range: it may be public.
(() => {
  const part = document.documentElement.dataset.part;
  const out = document.getElementById('out');
  const query = new URLSearchParams(location.search);

  // a[b]=c becomes { a: { b: 'c' } }
  function toSettings(create, isRefused) {
    const settings = create();
    for (const [key, value] of query) {
      const [name, inner] = key.replace(']', '').split('[');
      if (isRefused(name)) continue;
      if (inner === undefined) settings[name] = value;
      else {
        settings[name] ??= create();
        settings[name][inner] = value;
      }
    }
    return settings;
  }

  function showBanner(settings) {
    const look = {};
    out.textContent = `${Object.keys(settings).length} settings`;
    if (look.banner) out.innerHTML = look.banner;
  }

  const parts = {
    ticket: () => {
      out.innerHTML = `Ticket ${query.get('code')}`;
    },
    stub: () => {
      out.textContent = `Ticket ${query.get('code')}`;
    },
    settings: () =>
      showBanner(
        toSettings(
          () => ({}),
          () => false,
        ),
      ),
    options: () =>
      showBanner(
        toSettings(
          () => Object.create(null),
          (name) => name === '__proto__',
        ),
      ),
    widget: () =>
      addEventListener('message', ({ data }) => {
        out.innerHTML = data.html;
      }),
    gadget: () =>
      addEventListener('message', ({ data, origin }) => {
        if (origin === location.origin) out.innerHTML = data.html;
      }),
  };

  parts[part]?.();
})();
