import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderMermaidSVG } from 'beautiful-mermaid'
import { defineConfig } from 'vitepress'
import { groups } from '../pages.mjs'

const made = fileURLToPath(new URL('..', import.meta.url))
const pages = join(made, 'pages')
const onSite = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md')

function entries(path) {
  if (path.endsWith('/*')) {
    const folder = path.slice(0, -2)
    const names = readdirSync(join(pages, folder)).filter((name) => name.endsWith('.md')).sort()
    return [{
      text: title(join(folder, 'index.md')),
      link: '/' + folder + '/',
      collapsed: true,
      items: names.filter((name) => name !== 'index.md').flatMap((name) => entries(folder + '/' + name)),
    }]
  }
  const file = onSite(path)
  if (!existsSync(join(pages, file))) return []
  return [{ text: title(file), link: '/' + file.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '') }]
}

function title(file) {
  return readFileSync(join(pages, file), 'utf8').match(/^# +(.*)$/m)[1].replace(/`/g, '')
}

// As GitHub makes the anchors of headings, so that links to them work in both places.
function anchor(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-')
}

// Draws diagrams while the site is built. Their colours are those of the page, in light and in dark.
function diagrams(markdown) {
  const otherwise = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    if (token.info.trim() !== 'mermaid') return otherwise(tokens, index, ...rest)
    const svg = renderMermaidSVG(token.content, {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      line: 'var(--vp-c-text-2)',
      muted: 'var(--vp-c-text-2)',
      accent: 'var(--vp-c-brand-1)',
      transparent: true,
      font: 'inherit',
    }).replace(/@import url\([^)]*\);?/g, '') // a font of another host
      .replace("'inherit', system-ui, sans-serif", 'inherit')
    const text = encodeURIComponent(svg).replace(/'/g, '%27')
    return `<div class="diagram" role="img" v-html="decodeURIComponent('${text}')"></div>`
  }
}

export default defineConfig({
  srcDir: pages,
  outDir: join(made, 'dist'),
  cacheDir: join(made, 'cache'),
  lang: 'en',
  title: 'delayqueue',
  description: 'Delayed tasks for Spring Boot, on Redis, delivered to RabbitMQ or to handler methods',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base: process.env.SITE_BASE || '/',
  // the Javadoc is put beside the pages when they are made
  ignoreDeadLinks: [/^https?:\/\/localhost/, /^\/api\//],
  markdown: {
    html: false,
    anchor: { slugify: anchor },
    config: diagrams,
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Tutorial', link: '/docs/guide/tutorial' },
      { text: 'Configuration', link: '/docs/configuration' },
      { text: 'Guarantees', link: '/docs/guarantees' },
      { text: 'Javadoc', link: '/api/index.html', target: '_self' },
    ].filter(({ link }) => existsSync(join(pages, link + '.md')) || existsSync(join(pages, 'public', link))),
    sidebar: groups.map(([text, paths], index) => ({ text, collapsed: index > 3, items: paths.flatMap(entries) })),
    outline: [2, 3],
    footer: { message: 'Apache License 2.0' },
  },
})
