/** Reads reports: the modules in them, what an entry exports, and a form of their texts that two releases can be compared in. */
import { posix } from 'node:path'
import ts from 'typescript'

/** Texts of modules by their path, out of all reports. */
export function modulesOf(reports) {
  const parts = [...reports.values()].flatMap((text) => text.split(/^\/\/\/\/ /m).slice(1))
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end + 1)]
    }),
  )
}

/**
 * What entries export, by `<name> of waybill/<entry>`: `{ entry, path, name, text, isType, isValue, parameters }`. `text` is every
 * declaration of the name, `parameters` what it states of each of its type parameters: `{ constraint, fallback }` as texts.
 */
export function exportsIn(modules) {
  const declared = new Map([...modules].map(([path, text]) => [path, declarationsIn(path, text)]))
  const found = new Map()
  for (const [entry, text] of modules) {
    if (!entry.endsWith('/index.d.ts')) continue
    for (const [whole, name, as = name, from] of text.matchAll(
      /^export \{ (?:type )?(\w+)(?: as (\w+))? \} from '([^']+)'$/gm,
    )) {
      const path = moduleAt(entry, from)
      const declaration = declared.get(path)?.get(name)
      if (declaration === undefined) continue
      const isValue = declaration.isValue && !whole.startsWith('export { type ')
      found.set(keyOf(as, entry), { entry, path, ...declaration, isValue, name: as })
    }
    for (const [name, declaration] of declared.get(entry)) {
      found.set(keyOf(name, entry), { entry, path: entry, ...declaration, name })
    }
  }
  return found
}

/** Modules of the project that a module imports. */
export function importsIn(path, text) {
  return [...text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)].map(([, from]) =>
    moduleAt(path, from),
  )
}

function moduleAt(path, from) {
  return posix.join(posix.dirname(path), from.replace(/\.js$/, '.d.ts'))
}

function keyOf(name, entry) {
  const path = entry.replace(/^kernel\//, '').replace(/^test\//, '')
  return `${name} of waybill/${path.replace(/\/index\.d\.ts$/, '')}`
}

/** Exported declarations of one module by name. */
function declarationsIn(path, text) {
  const found = new Map()
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  for (const statement of source.statements) {
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.length) continue
    if (!ts.getModifiers(statement).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      continue
    const isClass = ts.isClassDeclaration(statement)
    const isType =
      isClass || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
    const isValue =
      isClass || ts.isFunctionDeclaration(statement) || ts.isVariableStatement(statement)
    const parameters = isType ? (statement.typeParameters ?? []).map(parameterOf) : []
    for (const name of namesOf(statement)) {
      const known = found.get(name)
      found.set(name, {
        text: `${known?.text ?? ''}${statement.getText()}`,
        isType: isType || known?.isType === true,
        isValue: isValue || known?.isValue === true,
        parameters: parameters.length > 0 ? parameters : (known?.parameters ?? []),
      })
    }
  }
  return found
}

function parameterOf({ constraint, default: fallback }) {
  return { constraint: constraint?.getText(), fallback: fallback?.getText() }
}

function namesOf(statement) {
  if (!ts.isVariableStatement(statement)) return statement.name ? [statement.name.text] : []
  return statement.declarationList.declarations.map(({ name }) => name.getText())
}

/**
 * A module that two releases can be compared in. Methods become members that hold functions, since the compiler lets
 * parameters of methods change either way; marks that make two declarations of one type differ are taken away.
 */
export function comparable(text) {
  const source = ts.createSourceFile('module.d.ts', text, ts.ScriptTarget.ES2023, true)
  const edits = []
  visit(source)
  let result = text
  for (const { from, to, by } of edits.sort((one, other) => other.from - one.from)) {
    result = result.slice(0, from) + by + result.slice(to)
  }
  return result.replaceAll(/^(declare const (\w+)): unique symbol;$/gm, "$1: 'unique $2';")

  function visit(node) {
    if (node.kind === ts.SyntaxKind.ProtectedKeyword)
      edits.push(edit(node.getStart(), node.end, ''))
    if (isMethod(node) && !isOverloaded(node)) {
      edits.push(edit(node.name.end, signatureStart(node), optional(node)))
      const arrow = arrowOf(node)
      if (arrow !== undefined) edits.push(edit(arrow.from, arrow.to, ') => '))
      const end = text[node.end - 1] === ';' ? node.end - 1 : node.end
      edits.push(edit(end, end, ')'))
    }
    ts.forEachChild(node, visit)
  }

  function optional(node) {
    return node.questionToken === undefined ? ': (' : '?: ('
  }

  function signatureStart(node) {
    return node.questionToken?.end ?? node.name.end
  }

  /** The end of the parameters, with the colon of what is returned. */
  function arrowOf(node) {
    if (node.type === undefined) return undefined
    const colon = text.lastIndexOf(':', node.type.getStart())
    return { from: text.lastIndexOf(')', colon), to: node.type.getStart() }
  }
}

function edit(from, to, by) {
  return { from, to, by }
}

function isMethod(node) {
  return ts.isMethodSignature(node) || (ts.isMethodDeclaration(node) && !isStatic(node))
}

function isStatic(node) {
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true
}

function isOverloaded(node) {
  const { members = [] } = node.parent
  return members.filter(({ name }) => name?.getText() === node.name.getText()).length > 1
}
