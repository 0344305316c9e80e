// Looks at the site that was made: node check.mjs <folder>
// Each link within it leads to a page and to a heading, and nothing is loaded from another host.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, posix, relative, sep } from 'node:path'

const [site] = process.argv.slice(2)
const problems = []

function below(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? below(path) : [relative(site, path).split(sep).join('/')]
  })
}

const text = (file) => readFileSync(join(site, file), 'utf8')
const anchors = new Map()
function anchorsOf(file) {
  if (!anchors.has(file)) anchors.set(file, new Set([...text(file).matchAll(/\s(?:id|name)="([^"]+)"/g)].map((found) => found[1])))
  return anchors.get(file)
}

function target(page, href) {
  const path = decodeURIComponent(href.split(/[?#]/)[0])
  if (path === '') return page
  const absolute = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path)
  for (const candidate of [absolute, absolute.replace(/\/$/, '') + '/index.html', absolute + '.html', 'index.html'.repeat(absolute === '')]) {
    if (candidate && existsSync(join(site, candidate)) && statSync(join(site, candidate)).isFile()) return candidate
  }
  return null
}

const files = below(site)
const pages = files.filter((file) => file.endsWith('.html') && !file.startsWith('api/') && file !== '404.html')
for (const page of pages) {
  for (const [, href] of text(page).matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
    if (/^[a-z]+:/i.test(href)) continue
    const file = target(page, href)
    const anchor = decodeURIComponent(href.split('#')[1] ?? '')
    if (file === null) problems.push(`${page}: ${href} leads nowhere`)
    else if (anchor && extname(file) === '.html' && !anchorsOf(file).has(anchor)) problems.push(`${page}: ${href} has no such heading`)
  }
}
for (const file of files.filter((each) => /\.(html|css)$/.test(each))) {
  const loads = [
    ...text(file).matchAll(/<(?:script|img|iframe|source|video|audio)\b[^>]*?\ssrc="((?:https?:)?\/\/[^"]*)"/g),
    ...text(file).matchAll(/<link\b[^>]*?\shref="((?:https?:)?\/\/[^"]*)"/g),
    ...text(file).matchAll(/@import\s+(?:url\()?['"]?((?:https?:)?\/\/[^'")]*)/g),
    ...text(file).matchAll(/url\(['"]?((?:https?:)?\/\/[^'")]*)/g),
  ]
  for (const [, from] of loads) problems.push(`${file}: loads ${from}`)
}
if (!files.some((file) => /localSearchIndex/.test(file))) problems.push('the index of the search is missing')

problems.forEach((problem) => console.error('site: ' + problem))
if (problems.length > 0) process.exit(1)
console.log(`site: all links of ${pages.length} pages lead somewhere, and nothing is loaded from other hosts`)
