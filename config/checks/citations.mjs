/**
 * What comments, titles of tests and documents cite has to be in the project: rules by id, failures and invariants by
 * code, decisions by number, documents by path with their sections and headings, and files by path.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { consoleFolder, projectRoot, sourceFolders, walk } from './sources.mjs'

const rulesPage = 'test/spec/README.md'
const failuresPage = 'test/FAILURES.md'
const invariantsPage = 'plugins/services/ledger/README.md'
const decisionsFolder = 'kernel/decisions'

/** Texts that may cite. Recorded answers of others do not; this check and its test cite what is meant to be missing. */
const citing = /\.(ts|mjs|vue|sql|md|sh)$/
const apart =
  /^(?:test\/fixtures\/|config\/checks\/citations\.mjs$|test\/config\/checks\.test\.ts$)/

/** Sentences for every citation that leads nowhere, and how many were looked at. */
export function findDeadCitations() {
  const below = [...sourceFolders, consoleFolder].flatMap((top) => [...walk(top)])
  const paths = existsSync(join(projectRoot, 'README.md')) ? ['README.md', ...below] : below
  const project = { paths: new Set(paths), ...known(paths) }
  const texts = paths.filter((path) => citing.test(path) && !apart.test(path))
  const found = texts.flatMap((path) => citationsOf(path, textOf(path), project))
  const faults = found.filter(({ resolves }) => !resolves)
  return {
    citations: found.length,
    faults: faults.map(({ path, cited }) => `${path} cites ${cited}, which is not in the project.`),
  }
}

/** Everything that can be cited by a short name. */
function known(paths) {
  const decisions = paths
    .filter((path) => path.startsWith(`${decisionsFolder}/`))
    .map((path) => Number(/(\d{4})-[^/]*\.md$/.exec(path)?.[1]))
  return {
    rules: namesIn(rulesPage, /^- \*\*([A-Z]+-\d+)\*\*/gm),
    codes: new Set([
      ...namesIn(failuresPage, /^\| ([A-Z]\d+) +\|/gm),
      ...namesIn(invariantsPage, /^- \*\*(I\d+)\*\*/gm),
    ]),
    decisions: new Set(decisions),
  }
}

function namesIn(page, pattern) {
  return existsSync(join(projectRoot, page))
    ? new Set([...textOf(page).matchAll(pattern)].map(([, name]) => name))
    : new Set()
}

/** One of the known prefixes anywhere; any prefix in the title of a test. */
const rule =
  /\b(?:SVC|FMT|ROUTE|CHAN|BILL|PAY|AUTH|API|ERR|LIMIT|RT|UI|OPS)-\d+\b|(?<=\[)[A-Z]{2,8}-\d+(?=\] )/g
/** A code counts as one within brackets or a list in them: `(S5, M14)`, `(X5 to X7)`. */
const code = /(?<=\(|, | to | and )[MSPXEFI]\d{1,2}(?=\)|, | to | and )/g
const decision = /\bdecisions? (\d{1,4}(?:(?:, | and )\d{1,4}(?!\d|%))*)/gi
/** A document, and the section or sections named behind it. */
const page = /(?<![\w:/.-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?: sections? (\d+)(?: and (\d+))?)?/g
const link = /\]\(([^)\s]+)\)/g
/** Examples in documents import what is there. */
const imported = /from '(?:\.\.\/)+(kernel\/[\w./-]+)'/g
const path = /`((?:kernel|plugins|providers|console|config|test)\/[\w./-]+)`/g
/** In a comment, paths of sources stand without quotes too; those of documents are looked up with their sections. */
const source = /(?<![\w/.:-])((?:kernel|plugins|providers|console|config|test)\/[\w./-]*\w)/g

function citationsOf(file, raw, project) {
  const text = file.endsWith('.md')
    ? withoutBlocks(raw).replaceAll(/\n */g, ' ')
    : joinedComments(raw)
  const cites = (cited, resolves) => ({ path: file, cited, resolves })
  const each = (pattern, read) => [...text.matchAll(pattern)].flatMap(read)
  return [
    ...each(rule, ([id]) => cites(id, project.rules.has(id))),
    ...each(code, ([id]) => cites(id, project.codes.has(id))),
    ...each(decision, ([, list]) =>
      list
        .match(/\d+/g)
        .map((number) => cites(`decision ${number}`, project.decisions.has(Number(number)))),
    ),
    ...(file.endsWith('.md')
      ? [
          ...each(link, ([, to]) =>
            /^[a-z]+:/.test(to) ? [] : cites(to, leads(file, to, project)),
          ),
          ...each(path, ([, to]) => cites(to, stands(to, project.paths))),
          ...[...raw.matchAll(imported)].map(([, to]) => cites(to, stands(to, project.paths))),
        ]
      : inComments(commentsOf(text), file, project, cites)),
  ]
}

function inComments(comments, file, project, cites) {
  return [
    ...[...comments.matchAll(page)].map(([whole, to, ...sections]) =>
      cites(whole, isPage(file, to, sections, project)),
    ),
    ...[...comments.matchAll(source)]
      .filter(([to]) => !to.endsWith('.md'))
      .map(([to]) => cites(to, stands(to, project.paths))),
  ]
}

/** A link leads to a file or folder, and its anchor to a heading there. */
function leads(file, to, { paths }) {
  const [target, anchor] = to.split('#')
  const absolute = target === '' ? file : join(dirname(file), target)
  if (!stands(absolute, paths)) return false
  return anchor === undefined || anchorsOf(textOf(absolute)).has(anchor)
}

/** A test may be named without its folder and its ending. */
function stands(to, paths) {
  const source = to.replace(/\/$/, '').replace(/\.js$/, '.ts')
  return paths.has(source) || paths.has(`test/${to}.test.ts`) || existsSync(join(projectRoot, to))
}

/** A document is named by its whole path, or by enough of its end; several may share that end, and one has to have the sections. */
function isPage(file, to, sections, { paths }) {
  const beside = join(dirname(file), to)
  const candidates = [...paths].filter(
    (one) => one === beside || one === to || one.endsWith(`/${to}`),
  )
  const wanted = sections.filter((number) => number !== undefined)
  return candidates.some((one) =>
    wanted.every((number) => new RegExp(`^## ${number}\\. `, 'm').test(textOf(one))),
  )
}

/** Anchors of headings, as GitHub makes them. */
function anchorsOf(text) {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)]
  return new Set(
    headings.map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Only comments name documents; in code their names are data. */
function commentsOf(text) {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|-- ).*$/gm)]
    .map(([comment]) => comment)
    .join('\n')
}

/** Lines of one comment as one line, so that a citation may be wrapped; the same holds for documents. */
function joinedComments(text) {
  return text.replaceAll(/\n\s*(?:\*|\/\/|--) /g, ' ')
}

/** Examples in blocks of code name files that are not there. */
function withoutBlocks(text) {
  return text.replaceAll(/^```.*?^```$/gms, '')
}

function textOf(file) {
  return readFileSync(join(projectRoot, file), 'utf8')
}
