// Collects the pages for the site in a folder of its own: node collect.mjs <root of the repository> <folder>
// A README becomes the index of its folder. Links to what is not on the site lead to the repository.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, posix, relative, sep } from 'node:path'
import { groups, outside, repository } from './pages.mjs'

const [root, target] = process.argv.slice(2)

function below(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? below(path) : [relative(root, path).split(sep).join('/')]
  })
}

const all = below(join(root, 'docs'))
const pages = [...outside, ...all.filter((path) => path.endsWith('.md'))]
const onSite = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md')

const dead = []
function link(page, to) {
  if (/^([a-z]+:|#|\/)/i.test(to)) return to
  const [path, anchor] = to.split('#')
  const found = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '')
  const rest = anchor === undefined ? '' : '#' + anchor
  if (pages.includes(found)) {
    return posix.relative(posix.dirname(page), onSite(found)).replace(/^(?!\.)/, './') + rest
  }
  if (/\.(png|svg)$/.test(found) && existsSync(join(root, found))) return to
  if (pages.includes(found + '/README.md')) return link(page, posix.join(path, 'README.md') + rest)
  if (!existsSync(join(root, found))) dead.push(`${page}: ${to} leads nowhere`)
  return repository + found + rest
}

// Code is left as it is; comments, which GitHub hides, go.
function forSite(page, text) {
  const parts = text.split(/(^ *```[\s\S]*?^ *```[^\n]*$|`[^`\n]*`)/m)
  return parts
    .map((part, index) => index % 2 === 1 ? part : part
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/(\]\(\s*)([^)\s]+)(\s*\))/g, (_, before, to, after) => before + link(page, to) + after))
    .join('')
}

const named = groups.flatMap(([, entries]) => entries)
const homeless = pages.filter((page) => page !== 'README.md'
  && !named.includes(page) && !named.includes(dirname(page) + '/*'))
if (homeless.length > 0) {
  console.error('site: no group in site/pages.mjs names ' + homeless.join(', '))
  process.exit(1)
}

rmSync(target, { recursive: true, force: true })
for (const page of pages) {
  const file = join(target, onSite(page))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, forSite(page, readFileSync(join(root, page), 'utf8')))
}
for (const image of all.filter((path) => /\.(png|svg)$/.test(path))) {
  mkdirSync(dirname(join(target, image)), { recursive: true })
  cpSync(join(root, image), join(target, normalize(image)))
}
dead.forEach((each) => console.error('site: ' + each))
if (dead.length > 0) process.exit(1)
console.log(`site: ${pages.length} pages`)
