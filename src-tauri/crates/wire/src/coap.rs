//! CoAP messages (RFC 7252 §3), strictly: what §3 calls a message format error is an [`Error`].

pub mod check;
mod code;
pub mod number;
mod option;
mod oscore;
mod plausible;
pub mod registry;
mod token;

pub use code::{Code, Type};
pub use option::{Block, OptionView};
pub use oscore::Oscore;
pub use plausible::{evidence, plausible};
pub use token::Token;

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// A CoAP message.
///
/// ```text
///  0   2   4       8            16                   32
/// +---+---+-------+------------+--------------------+-------------+---------+----------------+
/// | 1 | T |  TKL  |   code     |    message ID      | token, TKL  | options | 0xff, payload  |
/// +---+---+-------+------------+--------------------+-------------+---------+----------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coap {
    /// Confirmable, non-confirmable, acknowledgement or reset.
    pub kind: Type,
    /// Method or response code.
    pub code: Code,
    /// Message ID, by which acknowledgements, resets and repeated copies are matched (RFC 7252 §4.4).
    pub mid: u16,
    /// Token, 0 to 8 octets, by which a response is matched to its request (RFC 7252 §5.3.1).
    pub token: Token,
    /// Options in the order of the message, which is that of their numbers.
    pub options: Vec<OptionView>,
    /// Range of the payload, without its marker; `None` where there is none, never empty.
    pub payload: Option<ByteRange>,
    /// Range of the fixed header (4 octets) and the token.
    pub header: ByteRange,
}

impl Coap {
    /// Reads a message: all of a UDP payload.
    ///
    /// # Errors
    /// The message format errors of RFC 7252 §3 and §4.1, and versions other than 1.
    pub fn parse(octets: &[u8]) -> Result<Self, Error> {
        Self::parse_with(octets, Vec::new())
    }

    /// Reads a message as [`Self::parse`] does, with the allocation of `list` for [`Self::options`]; its elements are
    /// dropped.
    ///
    /// # Errors
    /// Errors of [`Self::parse`].
    pub fn parse_with(octets: &[u8], mut list: Vec<OptionView>) -> Result<Self, Error> {
        list.clear();
        let mut message = Self { options: list, ..Self::BLANK };
        message.read(octets).map(|()| message)
    }

    /// Reads as much of a message as possible: the fields before the octet of the error, and that error; `None` where
    /// the message is whole. Fields that were not reached are empty or 0.
    #[must_use]
    pub fn parse_partly(octets: &[u8]) -> (Self, Option<Error>) {
        let mut message = Self::BLANK;
        let error = message.read(octets).err();
        (message, error)
    }

    /// Message before its first octet was read.
    const BLANK: Self = Self {
        kind: Type::Con,
        code: Code::EMPTY,
        mid: 0,
        token: Token::EMPTY,
        options: Vec::new(),
        payload: None,
        header: 0..0,
    };

    #[inline]
    fn read(&mut self, octets: &[u8]) -> Result<(), Error> {
        let mut r = Reader::new(octets, Layer::Coap);
        let first = r.u8()?;
        if first >> 6 != 1 {
            return Err(r.error_at(0, Kind::Invalid("CoAP version is not 1")));
        }
        self.kind = Type::of(first);
        let token_len = usize::from(first & 0xf);
        if token_len > Token::MAX_LEN {
            return Err(r.error_at(0, Kind::Reserved("token length 9 to 15")));
        }
        self.code = Code(r.u8()?);
        self.mid = r.u16_be()?;
        self.header = r.since(0);
        // §4.1: nothing may follow the message ID of an Empty message.
        if self.code.is_empty() && (token_len > 0 || !r.is_empty()) {
            return Err(r.error(Kind::Invalid("Empty message with a token, options or payload")));
        }
        self.token = Token::from_slice(r.take(token_len)?).unwrap_or_default();
        self.header = r.since(0);
        option::read_list(&mut r, &mut self.options)?;
        if !r.is_empty() {
            let marker = r.pos();
            r.u8()?;
            if r.is_empty() {
                return Err(r.error_at(marker, Kind::Invalid("payload marker without a payload")));
            }
            self.payload = Some(r.rest_span());
        }
        Ok(())
    }

    /// Token of an Empty acknowledgement or reset that goes on behind its Message ID; `None` for any other message.
    /// Such a message is a format error (§4.1), of which [`Coap::parse_partly`] reads type and Message ID only; some
    /// stacks send it, and take it for what its type says. `octets` is the slice given to `parse_partly`.
    #[must_use]
    pub fn odd_token(&self, octets: &[u8]) -> Option<Token> {
        let is_odd = self.code.is_empty() && matches!(self.kind, Type::Ack | Type::Rst) && self.token.is_empty();
        let (header, content) = octets.split_at_checked(self.header.end).filter(|_| is_odd)?;
        let len = usize::from(header.first()? & 0xf);
        Token::from_slice(content.get(..len)?).filter(|_| !content.is_empty())
    }

    /// The values of all options `number`, in order. `octets` is the slice given to [`Coap::parse`].
    pub fn values<'a>(&'a self, octets: &'a [u8], number: u16) -> impl Iterator<Item = &'a [u8]> {
        self.options
            .iter()
            .filter(move |option| option.number == number)
            .filter_map(|option| octets.get(option.value.clone()))
    }

    /// The first option `number` as a `uint` (§3.2); `None` when absent or longer than 4 octets.
    #[must_use]
    pub fn option_uint(&self, octets: &[u8], number: u16) -> Option<u32> {
        let value = self.values(octets, number).next()?;
        (value.len() <= 4).then(|| value.iter().fold(0, |uint, &octet| uint << 8 | u32::from(octet)))
    }

    /// The first option `number` as a block option (RFC 7959 §2.2); `None` when absent or longer
    /// than 3 octets.
    #[must_use]
    pub fn block(&self, octets: &[u8], number: u16) -> Option<Block> {
        self.values(octets, number).next().filter(|value| value.len() <= 3)?;
        self.option_uint(octets, number).map(Block::from)
    }

    /// The retransmission count (Lee, Kim and Youn 2016) in option `number`: a `uint` of 0 or 1
    /// octets, empty meaning 0. `None` when absent or longer.
    #[must_use]
    pub fn rc(&self, octets: &[u8], number: u16) -> Option<u8> {
        match self.values(octets, number).next()? {
            [] => Some(0),
            [count] => Some(*count),
            _ => None,
        }
    }
}
