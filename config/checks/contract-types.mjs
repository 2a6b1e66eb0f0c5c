/** Reads declarations: which of them the entries of the contract lead to, and a compiler over texts that are on no disk. */
import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { projectRoot } from './sources.mjs'

/** Where declarations are taken to lie: beside no source, and below the project, so that packages are found. Nothing is written there. */
export const declarationsRoot = join(projectRoot, '.declarations')

/** Modules that authors of plugins import, as the `exports` of `package.json` name them. */
export function entriesOf() {
  const rooms = readdirSync(join(projectRoot, 'kernel/toolkit'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `kernel/toolkit/${name}/index.ts`)
  return [
    'kernel/contract/index.ts',
    'kernel/contract/line/index.ts',
    'kernel/contract/services/index.ts',
    ...rooms.sort(),
    'test/conformance/index.ts',
  ]
}

export function compilerOptions() {
  const { config } = ts.readConfigFile(join(projectRoot, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, projectRoot)
  return { ...options, noEmit: true, incremental: false, tsBuildInfoFile: undefined }
}

/** A program that sees `texts`, by absolute path, in place of what is on the disk. */
export function programOf(roots, options, texts) {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile, directoryExists } = host
  const folders = new Set()
  for (const path of texts.keys()) {
    for (let at = dirname(path); !folders.has(at) && at !== dirname(at); at = dirname(at)) {
      folders.add(at)
    }
  }
  host.directoryExists = (path) => folders.has(path) || directoryExists(path)
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path)
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version, true)
  }
  return ts.createProgram([...roots], options, host)
}

/**
 * Each module with what the entries lead to of it, in the order of paths and names: `{ module, text }`. The text is a
 * module of declarations again. `declarations` are texts by path in the project.
 */
export function reachedStatements(declarations) {
  const at = (path) => join(declarationsRoot, path)
  const texts = new Map([...declarations].map(([path, text]) => [at(path), text]))
  const program = programOf(texts.keys(), compilerOptions(), texts)
  const entries = entriesOf().map((path) => at(path.replace(/\.ts$/, '.d.ts')))
  const reading = new Reading(program, new Set(texts.keys()))
  for (const entry of entries) reading.readEntry(entry)
  return reading.modules()
}

/** Walks from the exports of entries to every declaration they are made of. */
class Reading {
  #checker
  #program
  #own
  /** Kept statements and lines of import and export, by module. */
  #kept = new Map()

  constructor(program, own) {
    this.#program = program
    this.#checker = program.getTypeChecker()
    this.#own = own
  }

  readEntry(path) {
    const file = this.#program.getSourceFile(path)
    const exported = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(file))
    for (const symbol of exported) {
      const target = this.#target(symbol)
      const [declaration] = target.declarations ?? []
      const from = declaration?.getSourceFile().fileName
      if (from === undefined) throw new Error(`${path}: ${symbol.name} leads nowhere.`)
      if (from !== path) {
        const name = target.name === symbol.name ? symbol.name : `${target.name} as ${symbol.name}`
        const typeOnly = target.flags & ts.SymbolFlags.Value && !isTypeOnly(symbol) ? '' : 'type '
        this.#line(path, `export { ${typeOnly}${name} } from '${specifier(path, from)}'`)
      }
      this.#keep(target)
    }
  }

  modules() {
    return [...this.#kept]
      .map(([path, { lines, statements }]) => ({
        module: relative(declarationsRoot, path).replaceAll('\\', '/'),
        text: [...[...lines].sort(), ...[...statements.values()].sort()].join('\n').concat('\n'),
      }))
      .sort((one, other) => (one.module < other.module ? -1 : 1))
  }

  #target(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  #of(path) {
    const kept = this.#kept.get(path) ?? { lines: new Set(), statements: new Map() }
    this.#kept.set(path, kept)
    return kept
  }

  #line(path, line) {
    this.#of(path).lines.add(line)
  }

  #keep(symbol) {
    for (const declaration of symbol.declarations ?? []) {
      const statement = statementOf(declaration)
      const file = declaration.getSourceFile()
      if (statement === undefined || !this.#own.has(file.fileName)) continue
      const { statements } = this.#of(file.fileName)
      if (statements.has(statement)) continue
      statements.set(statement, publicText(statement))
      this.#walk(statement, file.fileName)
    }
  }

  #walk(node, path) {
    if (ts.isClassElement(node) && isPrivate(node)) return
    if (ts.isIdentifier(node)) this.#follow(node, path)
    ts.forEachChild(node, (child) => this.#walk(child, path))
  }

  #follow(identifier, path) {
    const symbol = this.#checker.getSymbolAtLocation(identifier)
    if (symbol === undefined) return
    const target = this.#target(symbol)
    if (target !== symbol) this.#import(symbol, target, path)
    this.#keep(target)
  }

  /** An import of what the project declares names the module that declares it; any other stays as it is. */
  #import(symbol, target, path) {
    const [alias] = symbol.declarations ?? []
    if (alias === undefined || alias.getSourceFile().fileName !== path) return
    const from = target.declarations?.[0]?.getSourceFile().fileName
    const statement = statementOf(alias)
    if (statement === undefined || !ts.isImportDeclaration(statement)) return
    if (from === undefined || !this.#own.has(from) || ts.isNamespaceImport(alias)) {
      this.#line(path, statement.getText())
      return
    }
    const name = target.name === symbol.name ? symbol.name : `${target.name} as ${symbol.name}`
    this.#line(path, `import { type ${name} } from '${specifier(path, from)}'`)
  }
}

/** A declaration without the private members of a class, which are nobody else's. */
function publicText(statement) {
  if (!ts.isClassDeclaration(statement)) return statement.getText()
  const text = statement.getSourceFile().text
  let [result, from] = ['', statement.getStart()]
  for (const member of statement.members.filter(isPrivate)) {
    result += text.slice(from, member.getFullStart())
    from = member.end
  }
  return result + text.slice(from, statement.end)
}

function isPrivate(member) {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []
  return (
    modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) ||
    (member.name !== undefined && ts.isPrivateIdentifier(member.name))
  )
}

function isTypeOnly(symbol) {
  return (symbol.declarations ?? []).some((one) => ts.isTypeOnlyImportOrExportDeclaration(one))
}

function statementOf(node) {
  let at = node
  while (at.parent !== undefined && !ts.isSourceFile(at.parent)) at = at.parent
  return ts.isSourceFile(at) ? undefined : at
}

function specifier(from, to) {
  const path = relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}
