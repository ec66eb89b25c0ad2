//! Timers on devices: the lines that make a CoAP stack run one, the C program for a stack that lacks it, and the remedy
//! where a stack can run neither.

use crate::session::output;
use crate::view::{
    AlgorithmChoice, AppliedFile, ApplyRequest, CoapStackView, ExportAppliedRequest, RefusedView, StacksRequest,
};
use crate::{Error, Session};
use rto::AlgorithmSpec;
use rto::apply::{self, Applied, ApplyError, CProgram, ChosenTimer, CoapStack, Refusal};
use serde_json::Value;

/// MAX_RETRANSMIT where the request names none (RFC 7252 §4.8).
const MAX_RETRANSMIT: u8 = 4;
/// NSTART where the request names none (RFC 7252 §4.8).
const NSTART: u8 = 1;

impl Session {
    /// Returns the lines that make a CoAP stack run an algorithm ([`rto::apply`]).
    ///
    /// # Errors
    /// [`crate::Code::Request`]: an unknown algorithm or stack, or a timer that the stack cannot express, with the
    /// reason, and the remedy as its detail.
    pub fn apply(&self, request: &ApplyRequest) -> Result<Applied, Error> {
        self.for_stack(request, Form::Lines, CoapStack::apply)
    }

    /// Returns an algorithm as a C program for a CoAP stack.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: an unknown algorithm or stack, or an algorithm or stack without C, with the reason,
    /// and the remedy as its detail.
    pub fn c_program(&self, request: &ApplyRequest) -> Result<CProgram, Error> {
        self.for_stack(request, Form::Program, CoapStack::program)
    }

    /// Returns every CoAP stack, each with the reasons why it cannot run a timer.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: an unknown algorithm, or parameters that it does not have.
    pub fn stacks_for(&self, request: &StacksRequest) -> Result<Vec<CoapStackView>, Error> {
        let algorithm = self.checked(&request.algorithm)?;
        let choice = chosen(&algorithm, &request.algorithm, request.max_retransmit, request.nstart);
        let view = |stack: &CoapStack| CoapStackView {
            id: stack.id.clone(),
            name: stack.name.clone(),
            version: stack.version.clone(),
            place: stack.place.clone(),
            documentation: stack.documentation.clone(),
            lines_refused: stack.apply(&choice).err().map(|error| refused(&error, stack, &choice, Form::Lines)),
            program_refused: stack.program(&choice).err().map(|error| refused(&error, stack, &choice, Form::Program)),
        };
        Ok(apply::coap_stacks().iter().map(view).collect())
    }

    /// Writes one file of a timer for a stack.
    ///
    /// # Errors
    /// As [`Self::apply`] and [`Self::c_program`]; [`crate::Code::Request`] where the file cannot be written or
    /// was read here.
    pub fn export_applied(&self, request: &ExportAppliedRequest) -> Result<(), Error> {
        let text = match request.file {
            AppliedFile::Lines => self.apply(&request.timer)?.text,
            AppliedFile::Header => self.c_program(&request.timer)?.header,
            AppliedFile::Source => self.c_program(&request.timer)?.source,
        };
        output::write(self, &request.path, |sink| sink.write_all(text.as_bytes()))
    }

    /// Asks the stack of a request for its algorithm.
    fn for_stack<T>(
        &self,
        request: &ApplyRequest,
        form: Form,
        ask: impl FnOnce(&CoapStack, &ChosenTimer<'_>) -> Result<T, ApplyError>,
    ) -> Result<T, Error> {
        let known = || apply::coap_stacks().iter().map(|stack| stack.id.as_str()).collect::<Vec<_>>().join(", ");
        let stack = apply::coap_stacks().iter().find(|stack| stack.id == request.stack);
        let stack = stack
            .ok_or_else(|| Error::request(format!("There is no stack `{}`; there are: {}.", request.stack, known())))?;
        let algorithm = self.checked(&request.algorithm)?;
        let choice = chosen(&algorithm, &request.algorithm, request.max_retransmit, request.nstart);
        ask(stack, &choice).map_err(|error| {
            let RefusedView { why, remedy } = refused(&error, stack, &choice, form);
            Error { detail: Some(remedy), ..Error::request(why) }
        })
    }

    /// Returns the algorithm of a choice; errs where it is unknown, or does not take the name or value of a parameter.
    fn checked(&self, choice: &AlgorithmChoice) -> Result<AlgorithmSpec, Error> {
        let algorithm_set = self.algorithm_set();
        algorithm_set.build(&choice.id, &Value::Object(choice.params.clone())).map_err(Error::request)?;
        let spec = algorithm_set.spec(&choice.id).cloned();
        spec.ok_or_else(|| Error::request(format!("There is no algorithm `{}`.", choice.id)))
    }
}

fn chosen<'a>(
    algorithm: &'a AlgorithmSpec,
    choice: &'a AlgorithmChoice,
    max_retransmit: Option<u8>,
    nstart: Option<u8>,
) -> ChosenTimer<'a> {
    ChosenTimer {
        algorithm,
        params: &choice.params,
        max_retransmit: max_retransmit.unwrap_or(MAX_RETRANSMIT),
        nstart: nstart.unwrap_or(NSTART),
    }
}

/// Form in which a stack gets a timer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    Program,
}

impl Form {
    fn fits(self, stack: &CoapStack, choice: &ChosenTimer<'_>) -> bool {
        match self {
            Self::Lines => stack.apply(choice).is_ok(),
            Self::Program => stack.program(choice).is_ok(),
        }
    }
}

fn refused(error: &ApplyError, stack: &CoapStack, choice: &ChosenTimer<'_>, form: Form) -> RefusedView {
    RefusedView { why: format!("{error}."), remedy: remedy(error.0, stack, choice, form) }
}

/// Returns the remedy where `stack` refuses `choice` in `form`: another value, the other form, or another stack.
fn remedy(refusal: Refusal, stack: &CoapStack, choice: &ChosenTimer<'_>, form: Form) -> String {
    let others = |form: Form| {
        let fit = apply::coap_stacks().iter().filter(|other| other.id != stack.id && form.fits(other, choice));
        listed(&fit.map(|other| other.name.as_str()).collect::<Vec<_>>())
    };
    let name = choice.algorithm.name;
    match (refusal, form, others(Form::Lines), others(Form::Program)) {
        (Refusal::Parameter, ..) => format!("Only {name} with its published parameters can be set there."),
        (Refusal::Range | Refusal::Fixed, _, None, _) => "Choose a value that it takes.".to_owned(),
        (Refusal::Range | Refusal::Fixed, _, Some(others), _) => {
            format!("Choose a value that it takes, or a stack that takes this one: {others}.")
        }
        (_, Form::Lines, ..) if Form::Program.fits(stack, choice) => {
            format!("It has a place for {name} as a C program.")
        }
        (_, Form::Program, ..) if Form::Lines.fits(stack, choice) => "Lines alone set it there.".to_owned(),
        (_, _, Some(lines), Some(programs)) => {
            format!("Lines set {name} in {lines}; as a C program it goes into {programs}.")
        }
        (_, _, Some(lines), None) => format!("Lines set {name} in {lines}."),
        (_, _, None, Some(programs)) => format!("As a C program {name} goes into {programs}."),
        (_, _, None, None) => format!("No stack that is known here runs {name}."),
    }
}

/// Returns names as a sentence lists them; `None` where there are none.
fn listed(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some((*one).to_owned()),
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(id: &str, params: &Value, stack: &str) -> ApplyRequest {
        let params = params.as_object().cloned().unwrap_or_default();
        let algorithm = AlgorithmChoice { id: id.to_owned(), params };
        ApplyRequest { algorithm, stack: stack.to_owned(), max_retransmit: None, nstart: None }
    }

    /// Each reason has a remedy that works: where it names a stack or a form, that one takes the timer.
    #[test]
    fn a_refusal_says_what_can_be_done() {
        let session = Session::default();
        for (id, params, stack, remedy) in [
            ("cocoa_plus", json!({}), "libcoap", "It has a place for CoCoA+ as a C program."),
            ("coap_default", json!({ "ack_timeout": 0.5 }), "libcoap", "Choose a value that it takes, or a stack"),
            ("cocoa_cf3", json!({ "k_weak": 2 }), "californium", "Only CoCoA, Californium 3 with its published"),
            ("cocoa_cf3", json!({}), "zephyr", "Lines set CoCoA, Californium 3 in Californium."),
            ("fasor", json!({}), "riot", "No stack that is known here runs FASOR."),
            ("cocoa_plus", json!({}), "aiocoap", "As a C program CoCoA+ goes into Contiki-NG"),
        ] {
            let error = session.apply(&request(id, &params, stack)).expect_err(id);
            let said = error.detail.unwrap_or_default();
            assert!(said.starts_with(remedy), "{id} for {stack}: {} {said}", error.message);
        }
        let none = session.c_program(&request("coap_default", &json!({}), "aiocoap")).expect_err("no C");
        assert_eq!(none.detail.as_deref(), Some("Lines alone set it there."));
    }

    #[test]
    fn the_list_of_stacks_agrees_with_what_is_written() {
        let session = Session::default();
        for (id, params) in [("coap_default", json!({ "ack_timeout": 1.5 })), ("cocoa_plus", json!({}))] {
            let algorithm = request(id, &params, "").algorithm;
            let asked = StacksRequest { algorithm, max_retransmit: Some(3), nstart: None };
            let stacks = session.stacks_for(&asked).expect("stacks");
            assert_eq!(stacks.len(), apply::coap_stacks().len());
            for stack in stacks {
                let asked = ApplyRequest { max_retransmit: Some(3), ..request(id, &params, &stack.id) };
                let lines = session.apply(&asked).map_err(|error| error.message);
                assert_eq!(lines.err(), stack.lines_refused.map(|refused| refused.why), "{}", stack.id);
                let program = session.c_program(&asked).map_err(|error| error.message);
                assert_eq!(program.err(), stack.program_refused.map(|refused| refused.why), "{}", stack.id);
            }
        }
        let unknown =
            StacksRequest { algorithm: request("x", &json!({}), "").algorithm, max_retransmit: None, nstart: None };
        assert!(session.stacks_for(&unknown).is_err());
    }

    #[test]
    fn a_file_has_what_the_window_shows() {
        let session = Session::default();
        let folder = tempfile::tempdir().unwrap();
        let timer = request("cocoa_plus", &json!({}), "contiki-ng");
        let path = folder.path().join("cocoa_plus.c").display().to_string();
        let asked =
            |timer: &ApplyRequest, file| ExportAppliedRequest { timer: timer.clone(), file, path: path.clone() };
        session.export_applied(&asked(&timer, AppliedFile::Source)).expect("written");
        let written = std::fs::read_to_string(&path).expect("text");
        assert_eq!(written, session.c_program(&timer).expect("a program").source);
        // No lines set it there: the file stays.
        assert!(session.export_applied(&asked(&timer, AppliedFile::Lines)).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("text"), written);
    }
}
