/**
 * Finds who writes which table, by the syntax of the sources: chains of knex and objection that end in a write, and SQL in
 * texts. A table is written in one plugin (`table-owners.json`), so that a rule about its rows has one place.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { projectRoot, sourceFiles } from './sources.mjs'

const writes = new Set([
  ...['insert', 'update', 'patch', 'delete', 'del', 'increment', 'decrement', 'batchInsert'],
  ...[
    'insertAndFetch',
    'patchAndFetch',
    'patchAndFetchById',
    'updateAndFetch',
    'deleteById',
    'truncate',
  ],
])
const statement = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE)\s+(?:ONLY\s+)?"?([a-z_]+)"?/g

const connections = new Set(['knex', 'trx', 'inner'])

/**
 * Sentences for every write of a table by somebody else than its owner, every table without one, and every exception that
 * nobody needs any more; and how many writes were looked at.
 */
export function findStrangeWrites(paths = sourceFiles(isLooked), owners = tableOwners()) {
  const sources = paths.map((path) => [path, parse(path)])
  const models = new Map(sources.flatMap(([, source]) => modelsIn(source)))
  const writes = sources.flatMap(([path, source]) => writesIn(path, source, models))
  const unused = new Set(
    Object.entries(owners).flatMap(([table, { also = {} }]) =>
      Object.keys(also).map((who) => `${table} ${who}`),
    ),
  )
  const faults = writes.flatMap(({ path, line, table }) => {
    const owned = owners[table]
    if (owned === undefined) return [`${path}:${line} writes ${table}, a table without an owner.`]
    const who = ownerOf(path)
    unused.delete(`${table} ${who}`)
    if (who === owned.owner || owned.also?.[who] !== undefined) return []
    return [`${path}:${line} writes ${table}, which belongs to ${owned.owner}.`]
  })
  const idle = [...unused].map((one) => `${ownersFile} allows ${one}, and nothing needs it.`)
  return { writes: writes.length, faults: [...faults, ...idle] }
}

const ownersFile = 'config/checks/table-owners.json'

function tableOwners() {
  return JSON.parse(readFileSync(join(projectRoot, ownersFile), 'utf8'))
}

/** Migrations make tables and belong to nobody. */
function isLooked(path) {
  return /^(?:kernel|plugins)\/.*\.ts$/.test(path) && !path.includes('/migrations/')
}

/** `kernel`, or the folder of the plugin. */
function ownerOf(path) {
  return path.startsWith('kernel/') ? 'kernel' : path.split('/').slice(0, 3).join('/')
}

function parse(path) {
  const text = readFileSync(join(projectRoot, path), 'utf8')
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

/** Classes with a static `tableName`. */
function modelsIn(source) {
  const found = []
  walk(source, (node) => {
    if (!ts.isClassDeclaration(node) || node.name === undefined) return
    for (const member of node.members) {
      const isTable = ts.isPropertyDeclaration(member) && member.name.getText() === 'tableName'
      if (isTable && member.initializer && ts.isStringLiteral(member.initializer)) {
        found.push([node.name.text, member.initializer.text])
      }
    }
  })
  return found
}

function writesIn(path, source, models) {
  const found = []
  const add = (node, table) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    found.push({ path, line: line + 1, table })
  }
  walk(source, (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression
      if (!writes.has(name.text)) return
      const table = tableOf(expression, models)
      if (table !== undefined) add(name, table)
    } else if (isText(node)) {
      const text = node.getText()
      for (const [, table] of text.matchAll(statement)) add(node, table)
    }
  })
  return found
}

/** What a chain of calls begins with: `trx('users')`, `User.query()`, or a constant that does. */
function tableOf(expression, models, depth = 0) {
  if (depth > 3) return undefined
  for (let at = expression; at !== undefined; ) {
    if (ts.isCallExpression(at)) {
      const [first] = at.arguments
      const callee = at.expression
      if (isConnection(callee) && first !== undefined && ts.isStringLiteral(first))
        return first.text
      if (ts.isIdentifier(callee)) return tableOfFunction(callee, models, depth)
      if (isMember(callee, ['query']) && ts.isIdentifier(callee.expression)) {
        return models.get(callee.expression.text)
      }
      at = callee
    } else if (ts.isPropertyAccessExpression(at) || ts.isAsExpression(at)) at = at.expression
    else if (ts.isParenthesizedExpression(at) || ts.isAwaitExpression(at)) at = at.expression
    else if (ts.isIdentifier(at)) return tableOfConstant(at, models, depth)
    else return undefined
  }
  return undefined
}

function tableOfConstant(identifier, models, depth) {
  const declared = declarationOf(identifier, ts.isVariableDeclaration)
  return declared?.initializer && tableOf(declared.initializer, models, depth + 1)
}

/** `live(email)`, a function of the same file that returns a chain. */
function tableOfFunction(identifier, models, depth) {
  const declared = declarationOf(identifier, ts.isFunctionDeclaration)
  let table
  if (declared !== undefined) {
    walk(declared, (node) => {
      if (ts.isReturnStatement(node) && node.expression)
        table ??= tableOf(node.expression, models, depth + 1)
    })
  }
  return table
}

function declarationOf(identifier, isKind) {
  let found
  walk(identifier.getSourceFile(), (node) => {
    if (isKind(node) && node.name?.getText() === identifier.text) found ??= node
  })
  return found
}

/** `trx('users')`, `database.knex('users')`, `inner.from('users')`. */
function isConnection(callee) {
  if (ts.isIdentifier(callee)) return connections.has(callee.text)
  return isMember(callee, [...connections, 'from', 'into', 'table'])
}

function isMember(node, names) {
  return ts.isPropertyAccessExpression(node) && names.includes(node.name.text)
}

function isText(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node)
  )
}

function walk(node, visit) {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}
