/**
 * The string and template literals of a module, by a scan of its text: `{start, raw, text, before}`.
 *
 * `text` is the contents, with `{}` for each expression of a template; `before` is the source text in front of the literal on
 * its line. Literals within expressions of templates are listed, too.
 */
export function literalsOf(source) {
  const found = [];
  const add = (start, end, text) => found.push({ start, raw: source.slice(start, end), text, before: source.slice(source.lastIndexOf("\n", start) + 1, start) });

  // Scans to the end, or to the brace that ends an expression of a template; returns the index of that.
  function scan(from, isExpression) {
    let depth = 0;
    let token = "";
    let at = from;
    while (at < source.length) {
      const sign = source[at];
      if (source.startsWith("//", at)) {
        at = source.indexOf("\n", at);
        if (at < 0) return source.length;
      } else if (source.startsWith("/*", at)) {
        at = source.indexOf("*/", at) + 2;
      } else if (sign === '"' || sign === "'") {
        const end = endOf(at + 1, sign);
        add(at, end, source.slice(at + 1, end - 1));
        [token, at] = [sign, end];
      } else if (sign === "`") {
        [token, at] = [sign, template(at)];
      } else if (sign === "/" && !(/[\w$)\]"'`]$/.test(token) && !/^(return|typeof|case|in|of)$/.test(token))) {
        [token, at] = [")", pattern(at)];
      } else if (/[\w$]/.test(sign)) {
        [token] = /^[\w$]+/.exec(source.slice(at, at + 100));
        at += token.length;
      } else {
        if (sign === "{") depth += 1;
        if (sign === "}" && isExpression && depth === 0) return at;
        if (sign === "}") depth -= 1;
        if (sign.trim() !== "") token = sign;
        at += 1;
      }
    }
    return at;
  }

  function endOf(at, quote) {
    while (source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
    return at + 1;
  }

  function pattern(start) {
    let isClass = false;
    let at = start + 1;
    while (source[at] !== "/" || isClass) {
      if (source[at] === "\\") at += 1;
      else if (source[at] === "[") isClass = true;
      else if (source[at] === "]") isClass = false;
      at += 1;
    }
    while (/[a-z]/.test(source[at + 1])) at += 1;
    return at + 1;
  }

  function template(start) {
    let text = "";
    let at = start + 1;
    while (source[at] !== "`") {
      if (source.startsWith("${", at)) {
        at = scan(at + 2, true) + 1;
        text += "{}";
        continue;
      }
      const length = source[at] === "\\" ? 2 : 1;
      text += source.slice(at, at + length);
      at += length;
    }
    add(start, at + 1, text);
    return at + 1;
  }

  scan(0, false);
  return found;
}
