//! Parser from tokens to a typed expression. Every error says its column, and the forms that are expected there.
//!
//! ```text
//! or     = and { ("||" | "or") and }
//! and    = not { ("&&" | "and") not }
//! not    = ("!" | "not") not | "(" or ")" | test
//! test   = FIELD [ COMPARISON literal | "contains" literal | "matches" TEXT | "in" "{" range { "," range } "}" ]
//! range  = literal [ ".." literal ]
//! ```

use super::ast::{Comparison, Expr, Range, Test};
use super::field::{Field, Kind};
use super::lex::{Token, lex};
use super::literal::Literal;
use super::pattern::Pattern;
use super::{FilterError, field};

/// Largest depth of brackets and negations. Chosen here: far more than anyone writes, far less than the stack holds.
const DEPTH: usize = 64;

/// Reads a filter. Errs on anything outside the grammar, an unknown field, and a literal of another kind than its
/// field.
pub(super) fn parse(text: &str) -> Result<Expr, FilterError> {
    let (tokens, end) = lex(text)?;
    let mut parser = Parser { tokens, next: 0, end, depth: 0 };
    if parser.tokens.is_empty() {
        return Err(parser.error("a filter is expected, such as `coap.type == CON`"));
    }
    let expr = parser.or()?;
    match parser.peek() {
        None => Ok(expr),
        Some(Token::Mark(")")) => Err(parser.error("this bracket was not opened")),
        Some(_) => Err(parser.error("`&&`, `||` or the end is expected")),
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|token| &token.1)
    }

    fn column(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |token| token.0)
    }

    fn error(&self, message: impl Into<String>) -> FilterError {
        FilterError { column: self.column(), message: message.into() }
    }

    /// Takes the next token if it is one of these signs or words.
    fn take(&mut self, spellings: &[&str]) -> bool {
        let found = match self.peek() {
            Some(Token::Mark(mark)) => spellings.contains(mark),
            Some(Token::Word(word)) => spellings.contains(&word.as_str()),
            Some(Token::Text(_)) | None => false,
        };
        self.next += usize::from(found);
        found
    }

    fn or(&mut self) -> Result<Expr, FilterError> {
        let first = self.and()?;
        let mut members = vec![first];
        while self.take(&["||", "or"]) {
            members.push(self.and()?);
        }
        Ok(if members.len() == 1 { members.remove(0) } else { Expr::Or(members) })
    }

    fn and(&mut self) -> Result<Expr, FilterError> {
        let first = self.not()?;
        let mut members = vec![first];
        while self.take(&["&&", "and"]) {
            members.push(self.not()?);
        }
        Ok(if members.len() == 1 { members.remove(0) } else { Expr::And(members) })
    }

    fn not(&mut self) -> Result<Expr, FilterError> {
        if self.depth >= DEPTH {
            return Err(self.error(format!("brackets and negations are nested more than {DEPTH} deep")));
        }
        self.depth += 1;
        let opened = self.column();
        let expr = if self.take(&["!", "not"]) {
            Expr::Not(Box::new(self.not()?))
        } else if self.take(&["("]) {
            let inner = self.or()?;
            if !self.take(&[")"]) {
                return Err(self.error(format!("`)` is expected, for the bracket in column {opened}")));
            }
            inner
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn test(&mut self) -> Result<Expr, FilterError> {
        let Some(Token::Word(name)) = self.peek() else {
            return Err(self.error("a field is expected, such as `coap.mid`"));
        };
        let field = field(name).map_err(|unknown| self.error(unknown.message))?;
        self.next += 1;
        let at = self.column();
        if let Some(&(comparison, _, _)) = Comparison::ALL.iter().find(|c| self.take(&[c.1, c.2])) {
            self.comparable(field, at)?;
            let column = self.column();
            let literal = self.literal(field)?;
            if literal.is_range() && !matches!(comparison, Comparison::Equal | Comparison::Different) {
                let message = "a prefix is compared by `==` or `!=` only".to_owned();
                return Err(FilterError { column, message });
            }
            return Ok(Expr::Test(field, Test::Compare(comparison, literal)));
        }
        for operator in ["contains", "matches"] {
            if !self.take(&[operator]) {
                continue;
            }
            if !matches!(field.kind, Kind::Text | Kind::Octets) {
                let message = format!("`{operator}` looks into text or octets; `{}` is {}", field.name, field.kind);
                return Err(FilterError { column: at, message });
            }
            let test = if operator == "contains" {
                Test::Contains(self.literal(field)?)
            } else {
                Test::Matches(self.pattern(field)?)
            };
            return Ok(Expr::Test(field, test));
        }
        if self.take(&["in"]) {
            self.comparable(field, at)?;
            return Ok(Expr::Test(field, Test::In(self.set(field)?)));
        }
        if let Some(Token::Mark("{" | "..")) | Some(Token::Text(_)) = self.peek() {
            return Err(self.error("a comparison is expected, such as `==`"));
        }
        Ok(Expr::Test(field, Test::Present))
    }

    fn comparable(&self, field: &Field, at: usize) -> Result<(), FilterError> {
        if field.kind == Kind::Protocol {
            let message = format!("`{}` is there or not; it has no value to compare", field.name);
            return Err(FilterError { column: at, message });
        }
        Ok(())
    }

    fn set(&mut self, field: &Field) -> Result<Vec<Range>, FilterError> {
        if !self.take(&["{"]) {
            return Err(self.error("`{` is expected, as in `in {1, 2, 5..9}`"));
        }
        let mut ranges = Vec::new();
        loop {
            let first = self.literal(field)?;
            let column = self.column();
            let last = if self.take(&[".."]) { Some(self.literal(field)?) } else { None };
            if last.as_ref().is_some_and(|last| last.is_range() || first.is_range()) {
                return Err(FilterError { column, message: "a prefix is a range already".to_owned() });
            }
            ranges.push(Range { first, last });
            if self.take(&["}"]) {
                return Ok(ranges);
            }
            // Commas between members are optional, as in Wireshark.
            if !self.take(&[","]) && !matches!(self.peek(), Some(Token::Word(_) | Token::Text(_))) {
                return Err(self.error("`,` or `}` is expected"));
            }
        }
    }

    fn pattern(&mut self, field: &Field) -> Result<Pattern, FilterError> {
        let Some(Token::Text(text)) = self.peek() else {
            return Err(self.error("a regular expression in quotes is expected, such as `\"^temp\"`"));
        };
        let pattern = Pattern::new(text, field.kind).map_err(|message| self.error(message))?;
        self.next += 1;
        Ok(pattern)
    }

    fn literal(&mut self, field: &Field) -> Result<Literal, FilterError> {
        let wanted = || format!("{} is expected", field.kind);
        let literal = match self.peek() {
            Some(Token::Word(word)) => Literal::of_word(field.kind, word),
            Some(Token::Text(text)) => Literal::of_text(field.kind, text),
            Some(Token::Mark(_)) | None => return Err(self.error(wanted())),
        };
        let literal = literal.ok_or_else(|| {
            let written = match self.peek() {
                Some(Token::Word(text) | Token::Text(text)) => text.as_str(),
                _ => "",
            };
            self.error(format!("`{written}` does not fit `{}`: {}{}", field.name, wanted(), names(field.kind)))
        })?;
        self.next += 1;
        Ok(literal)
    }
}

/// Names that the values of a field have, for an error.
fn names(kind: Kind) -> String {
    match kind {
        Kind::Name(names) => {
            let list: Vec<&str> = names.iter().map(|name| name.0).collect();
            format!(" or one of {}", list.join(", "))
        }
        _ => String::new(),
    }
}
